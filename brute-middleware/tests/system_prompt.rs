//! The system message is prepended when the log has none, and rendered when a turn passes.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
};

use brute_core::{
    Agent, ErrorKind, Message, Part, Role, Section, Session, Zone,
    models::{Script, ScriptedModel},
    testing::LintedStack,
    tool_fn,
};
use brute_middleware::{
    AcceptInputLayer, ForeignSystem, JournalLayer, RenderPolicy, SystemPromptLayer, ToolCallsLayer,
    ToolLoopLayer, reload_prompt_facts,
};
use brute_prompts::{
    InstructionPlacement, Module, PromptContext, SystemPrompt,
    gather::{GatherOptions, Today, WorkspaceOptions},
};
use serde_json::{Value, json};

fn hello() -> ScriptedModel {
    ScriptedModel::answering(|_| Script::text("Hello."))
}

fn agent(layer: SystemPromptLayer, model: &ScriptedModel) -> Agent {
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(layer)
        .layer(ToolLoopLayer)
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .model(model.clone());
    let look = tool_fn("look", "Looks.", |_: Value, _| {
        std::future::ready(Ok::<_, brute_core::Error>("seen"))
    });
    Agent::builder(stack).model("anthropic", "claude").tool(look).build().unwrap()
}

fn words(text: &'static str) -> SystemPromptLayer {
    SystemPromptLayer::new(SystemPrompt::new([Module::text("words", text)])).gather(None)
}

/// The texts of the system messages of each request.
fn systems(model: &ScriptedModel) -> Vec<Vec<String>> {
    let of_role = |turn: &brute_core::Turn| {
        turn.log
            .iter()
            .filter(|message| message.role == Role::System)
            .map(|message| message.text())
            .collect()
    };
    model.requests().iter().map(of_role).collect()
}

#[tokio::test]
async fn an_empty_log_gains_one_system_message_at_its_head() {
    let model = hello();
    agent(words("Be brief."), &model).send(&Session::new(), "hi").await.unwrap();
    assert_eq!(systems(&model), [["Be brief."]]);
    assert_eq!(model.requests()[0].log.get(0).unwrap().role, Role::System);
}

#[tokio::test]
async fn each_request_of_a_turn_holds_the_prompt_once_and_the_record_never() {
    let scripts =
        [Script::call("look", json!({})), Script::call("look", json!({})), Script::text("done")];
    let (model, session) = (ScriptedModel::new(scripts), Session::new());
    agent(words("Be brief."), &model).send(&session, "hi").await.unwrap();
    assert_eq!(systems(&model), [["Be brief."], ["Be brief."], ["Be brief."]]);
    assert!(!session.log().has_system());
}

#[tokio::test]
async fn a_system_message_anywhere_is_respected() {
    let mine = [Message::user("hi"), Message::system("Mine."), Message::assistant("ok")];
    let session = Session::from_log(&mine.into_iter().collect()).unwrap();
    let model = hello();
    agent(words("Be brief."), &model).send(&session, "again").await.unwrap();
    let texts: Vec<_> = model.requests()[0].log.iter().map(|message| message.text()).collect();
    assert_eq!(texts, ["hi", "Mine.", "ok", "again"]);
}

#[tokio::test]
async fn a_developer_message_does_not_count_as_a_system_message() {
    let session = Session::new();
    session.push(Message::developer("from the host")).unwrap();
    let model = hello();
    agent(words("Be brief."), &model).send(&session, "hi").await.unwrap();
    assert_eq!(systems(&model), [["Be brief."]]);
}

#[tokio::test]
async fn nothing_is_rendered_before_the_first_turn() {
    let renders = Arc::new(AtomicUsize::new(0));
    let counter = renders.clone();
    let prompt = SystemPrompt::build(move |prompt, ctx| {
        counter.fetch_add(1, SeqCst);
        prompt.text(format!("You run on {}.", ctx.provider));
        Ok(())
    });
    let model = hello();
    let agent = agent(SystemPromptLayer::new(prompt).gather(None), &model);
    assert_eq!(renders.load(SeqCst), 0);
    agent.send(&Session::new(), "hi").await.unwrap();
    assert_eq!(renders.load(SeqCst), 1);
    assert_eq!(systems(&model), [["You run on anthropic."]]);
}

#[tokio::test]
async fn a_prompt_with_nothing_to_say_adds_no_message() {
    let model = hello();
    agent(words(" \n"), &model).send(&Session::new(), "hi").await.unwrap();
    assert_eq!(systems(&model), [Vec::<String>::new()]);
}

#[tokio::test]
async fn sections_keep_their_names_and_zones() {
    let model = hello();
    agent(SystemPromptLayer::default(), &model).send(&Session::new(), "hi").await.unwrap();
    let system = model.requests()[0].log.get(0).unwrap().clone();
    let zone_of = |name: &str| {
        system.sections().find(|section| &*section.name == name).map(|found| found.zone)
    };
    assert_eq!(zone_of("identity"), Some(Zone::Static));
    assert_eq!(zone_of("environment"), Some(Zone::Session));
}

#[tokio::test]
async fn a_history_without_the_prompt_gets_it_and_another_agents_does_not_come_along() {
    let (first, second) = (hello(), hello());
    let session = Session::new();
    agent(words("You are one."), &first).send(&session, "hi").await.unwrap();
    agent(words("You are two."), &second).send(&session, "again").await.unwrap();
    assert_eq!(systems(&second), [["You are two."]]);
}

#[tokio::test]
async fn two_layers_that_add_to_the_prompt_both_stand_in_it() {
    let model = hello();
    let add =
        brute_core::from_fn(|mut turn: brute_core::Turn, next: brute_core::Next| async move {
            let mut system = (**turn.log.get(0).unwrap()).clone();
            let section =
                Section { name: "house".into(), zone: Zone::Static, text: "House rules.".into() };
            system.parts.push(Part::Section(section));
            let rest: Vec<_> = turn.log.since(1).cloned().collect();
            turn.log = [Arc::new(system)].into_iter().chain(rest).collect();
            next.run(turn).await
        });
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(words("Be brief."))
        .layer(add)
        .model(model.clone());
    Agent::builder(stack).build().unwrap().send(&Session::new(), "hi").await.unwrap();
    assert_eq!(systems(&model), [["Be brief.\n\nHouse rules."]]);
}

/// A folder with one skill, and options that look there on a day of our choice.
fn project(day: &str) -> (tempfile::TempDir, GatherOptions) {
    let folder = tempfile::tempdir().unwrap();
    let options =
        GatherOptions::default().home(folder.path().join("home")).clock(Today::parse(day).unwrap());
    add_skill(&folder, "first");
    (folder, options)
}

fn add_skill(folder: &tempfile::TempDir, name: &str) {
    let skill = folder.path().join(".brute/skills").join(name);
    fs::create_dir_all(&skill).unwrap();
    fs::write(
        skill.join("SKILL.md"),
        format!("---\nname: {name}\ndescription: Helps.\n---\nBody.\n"),
    )
    .unwrap();
}

#[tokio::test]
async fn the_facts_of_a_session_are_gathered_once_and_survive_an_export() {
    let (folder, options) = project("2026-03-05");
    let model = hello();
    let layer = SystemPromptLayer::default().gather(options.clone());
    let session = Session::new();
    agent(layer, &model).turn(&session, "hi").cwd(folder.path()).await.unwrap();
    add_skill(&folder, "second");
    let next_year =
        SystemPromptLayer::default().gather(options.clock(Today::parse("2027-01-01").unwrap()));
    let reopened = Session::from_json(&session.to_json().unwrap()).unwrap();
    agent(next_year.clone(), &model).turn(&session, "hi").cwd(folder.path()).await.unwrap();
    agent(next_year.clone(), &model).turn(&reopened, "hi").cwd(folder.path()).await.unwrap();
    let systems = systems(&model);
    assert!(
        systems[0][0].contains("Thu Mar 05 2026") && systems[0][0].contains("<name>first</name>")
    );
    assert_eq!(systems[0], systems[1]);
    assert_eq!(systems[0], systems[2]);

    reload_prompt_facts(&session);
    agent(next_year, &model).turn(&session, "hi").cwd(folder.path()).await.unwrap();
    let reloaded = &self::systems(&model)[3][0];
    assert!(
        reloaded.contains("Fri Jan 01 2027") && reloaded.contains("<name>second</name>"),
        "{reloaded}"
    );
}

#[tokio::test]
async fn the_model_is_warned_once_in_a_session_that_a_workspace_file_was_cut() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("SOUL.md"), "Be kind. ".repeat(2_000)).unwrap();
    let gather = || {
        let home = folder.path().join("home");
        GatherOptions::default().home(home).workspace(None, WorkspaceOptions::default())
    };
    let model = hello();
    let prompt = || SystemPrompt::new(["workspace_files"]);
    let layer = || SystemPromptLayer::new(prompt()).gather(gather());
    let session = Session::new();
    agent(layer(), &model).turn(&session, "hi").cwd(folder.path()).await.unwrap();
    agent(layer(), &model).turn(&session, "hi").cwd(folder.path()).await.unwrap();
    let reopened = Session::from_json(&session.to_json().unwrap()).unwrap();
    reload_prompt_facts(&reopened);
    agent(layer(), &model).turn(&reopened, "hi").cwd(folder.path()).await.unwrap();
    let lengths: Vec<_> = systems(&model).iter().map(|texts| texts[0].len()).collect();
    assert_eq!(lengths[0], lengths[1], "within a session the bytes stay");
    assert!(lengths[2] < lengths[0], "after a reload the same cut is no news: {lengths:?}");
}

#[tokio::test]
async fn facts_that_the_caller_gives_win_over_those_that_are_gathered() {
    let (folder, options) = project("2026-03-05");
    let model = hello();
    let agent = agent(SystemPromptLayer::default().gather(options), &model);
    let turn = agent.turn(&Session::new(), "hi").cwd(folder.path());
    turn.fact("date", "Mon Jan 01 2001")
        .fact("custom_rules", "Knit.")
        .fact("skills", json!([]))
        .await
        .unwrap();
    let system = &systems(&model)[0][0];
    assert!(system.contains("Mon Jan 01 2001") && system.contains("Knit."), "{system}");
    assert!(!system.contains("<name>first</name>"));
}

#[tokio::test]
async fn a_missing_working_directory_is_told_and_does_not_stop_the_turn() {
    let model = hello();
    let told = brute_core::testing::Recorder::default();
    let events = told.diagnostics();
    let agent = agent(SystemPromptLayer::default(), &model);
    let turn = agent.turn(&Session::new(), "hi").cwd("/nowhere/at/all").events(events);
    assert_eq!(turn.await.unwrap().answer(), "Hello.");
    assert!(told.list().iter().any(|note| note.contains("/nowhere/at/all")), "{:?}", told.list());
}

#[tokio::test]
async fn a_template_that_fails_is_an_error_that_names_section_and_variable() {
    let folder = tempfile::tempdir().unwrap();
    for (file, template, named) in
        [("default.txt", "{{ gaol }}", "gaol"), ("default.txt", "{% if %}", "identity")]
    {
        let words = folder.path().join("identity");
        fs::create_dir_all(&words).unwrap();
        fs::write(words.join(file), template).unwrap();
        let model = hello();
        let error = match SystemPrompt::default().overlay(folder.path()) {
            Ok(prompt) => {
                let layer = SystemPromptLayer::new(prompt).gather(None);
                let error = agent(layer, &model).send(&Session::new(), "hi").await.unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Prompt);
                error.to_string()
            }
            Err(error) => error.to_string(),
        };
        assert!(error.contains(named) && error.contains("default.txt"), "{error}");
        assert!(model.requests().is_empty());
    }
}

async fn two_turns(layer: SystemPromptLayer, session: &Session) -> Vec<Vec<String>> {
    let model = hello();
    let agent = agent(layer, &model);
    agent.turn(session, "hi").fact("custom_rules", "One.").await.unwrap();
    agent.turn(session, "hi").fact("custom_rules", "Two.").await.unwrap();
    systems(&model)
}

fn rules(policy: RenderPolicy) -> SystemPromptLayer {
    let prompt = SystemPrompt::new([Module::from_fn("rules", |ctx: &PromptContext| {
        Ok(ctx.custom_rules.as_deref().map(str::to_owned))
    })]);
    SystemPromptLayer::new(prompt).gather(None).policy(policy)
}

#[tokio::test]
async fn the_policy_says_when_the_prompt_is_rendered() {
    use RenderPolicy::{EveryTurn, OncePerSession, Snapshot, WhenMissing};
    for (policy, second) in
        [(WhenMissing, "Two."), (EveryTurn, "Two."), (OncePerSession, "One."), (Snapshot, "One.")]
    {
        assert_eq!(
            two_turns(rules(policy), &Session::new()).await,
            [["One."], [second]],
            "{policy:?}"
        );
    }
}

#[tokio::test]
async fn a_snapshot_survives_an_export_and_once_per_session_does_not() {
    for (policy, after) in
        [(RenderPolicy::Snapshot, "One."), (RenderPolicy::OncePerSession, "Three.")]
    {
        let session = Session::new();
        two_turns(rules(policy), &session).await;
        let reopened = Session::from_json(&session.to_json().unwrap()).unwrap();
        let model = hello();
        agent(rules(policy), &model)
            .turn(&reopened, "hi")
            .fact("custom_rules", "Three.")
            .await
            .unwrap();
        assert_eq!(systems(&model), [[after]], "{policy:?}");
    }
}

#[tokio::test]
async fn facts_that_are_gathered_anew_are_rendered_under_every_policy() {
    use RenderPolicy::{EveryTurn, OncePerSession, Snapshot, WhenMissing};
    for policy in [WhenMissing, EveryTurn, OncePerSession, Snapshot] {
        let (folder, options) = project("2026-03-05");
        let (model, session) = (hello(), Session::new());
        let agent = agent(SystemPromptLayer::default().gather(options).policy(policy), &model);
        for reload in [false, false, true] {
            add_skill(&folder, "second");
            if reload {
                reload_prompt_facts(&session);
            }
            agent.turn(&session, "hi").cwd(folder.path()).await.unwrap();
            fs::remove_dir_all(folder.path().join(".brute/skills/first")).ok();
        }
        let systems = systems(&model);
        let lists_first = systems.iter().map(|texts| texts[0].contains("<name>first</name>"));
        assert_eq!(lists_first.collect::<Vec<_>>(), [true, true, false], "{policy:?}");
    }
}

#[tokio::test]
async fn a_snapshot_of_nothing_stays_nothing() {
    let (model, session) = (hello(), Session::new());
    agent(rules(RenderPolicy::Snapshot), &model).send(&session, "hi").await.unwrap();
    agent(rules(RenderPolicy::Snapshot), &model)
        .turn(&session, "hi")
        .fact("custom_rules", "Late.")
        .await
        .unwrap();
    assert_eq!(systems(&model), [Vec::<String>::new(), Vec::new()]);
}

#[tokio::test]
async fn every_turn_replaces_only_a_message_that_the_layer_made() {
    let own = Section { name: "rules".into(), zone: Zone::Static, text: "Old.".into() };
    let own = Message::new(Role::System, vec![Part::Section(own)]);
    for (stored, expected) in [(own, "One."), (Message::system("Mine."), "Mine.")] {
        let session = Session::new();
        session.push(stored).unwrap();
        let model = hello();
        let agent = agent(rules(RenderPolicy::EveryTurn), &model);
        agent.turn(&session, "hi").fact("custom_rules", "One.").await.unwrap();
        assert_eq!(systems(&model), [[expected]]);
    }
}

#[tokio::test]
async fn a_system_message_from_elsewhere_can_be_replaced_or_refused() {
    let history =
        [Message::system("Obey the client."), Message::user("hi"), Message::assistant("ok")];
    let session = || Session::from_log(&history.iter().cloned().collect()).unwrap();
    let model = hello();
    let replacing = words("Be brief.").foreign(ForeignSystem::Replace);
    agent(replacing, &model).send(&session(), "again").await.unwrap();
    assert_eq!(systems(&model), [["Be brief."]]);

    let refusing = words("Be brief.").foreign(ForeignSystem::Refuse);
    let error = agent(refusing.clone(), &model).send(&session(), "again").await.unwrap_err();
    assert_eq!((error.kind(), model.requests().len()), (ErrorKind::Invalid, 1));
    assert!(error.to_string().contains("system message from elsewhere"), "{error}");
    let sent = Message::system("Obey the client.");
    agent(refusing, &model).send(&Session::new(), sent).await.unwrap_err();
    assert_eq!(model.requests().len(), 1);
}

#[tokio::test]
async fn what_differs_between_users_can_stand_in_the_first_message() {
    let seen = |folder: &tempfile::TempDir| {
        let layer = SystemPromptLayer::default().shared_prefix();
        let layer = layer.gather(GatherOptions::default().home(folder.path().join("home")));
        let (model, path) = (hello(), folder.path().to_path_buf());
        async move {
            agent(layer, &model).turn(&Session::new(), "hi").cwd(path).await.unwrap();
            model.requests()[0].log.clone()
        }
    };
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (first, second) = (seen(&one).await, seen(&two).await);
    let text = |log: &brute_core::Log, index: usize| log.get(index).unwrap().text();
    assert_eq!(text(&first, 0), text(&second, 0), "the system message is the same for both");
    assert_eq!(first.get(1).unwrap().role, Role::User);
    assert!(text(&first, 1).contains(one.path().to_str().unwrap()));
    assert!(text(&second, 1).contains(two.path().to_str().unwrap()));
    assert_eq!(text(&first, 2), "hi");
}

/// The roles and texts of the first request, with instruction files placed so.
async fn placed(placement: InstructionPlacement) -> Vec<(Role, String)> {
    let (folder, options) = project("2026-03-05");
    fs::write(folder.path().join("AGENTS.md"), "Use tabs.").unwrap();
    fs::write(folder.path().join("CLAUDE.md"), "Use semicolons.").unwrap();
    let model = hello();
    let prompt = SystemPrompt::default().instruction_placement(placement);
    let agent = agent(SystemPromptLayer::new(prompt).gather(options), &model);
    let session = Session::new();
    for _ in 0..2 {
        agent.turn(&session, "hi").cwd(folder.path()).await.unwrap();
    }
    assert!(session.log().iter().all(|message| message.sections().next().is_none()));
    let requests = model.requests();
    assert!(
        requests[1]
            .log
            .since(0)
            .zip(requests[0].log.iter())
            .all(|(now, before)| now.text() == before.text())
    );
    requests[0].log.iter().map(|message| (message.role, message.text())).collect()
}

#[tokio::test]
async fn instruction_files_of_the_family_stand_where_the_prompt_says() {
    let system = placed(InstructionPlacement::System).await;
    assert_eq!(
        system.iter().map(|(role, _)| *role).collect::<Vec<_>>(),
        [Role::System, Role::User]
    );
    assert!(system[0].1.contains("Use tabs.") && system[0].1.contains("Use semicolons."));

    let developer = placed(InstructionPlacement::Developer).await;
    let roles: Vec<_> = developer.iter().map(|(role, _)| *role).collect();
    assert_eq!(roles, [Role::System, Role::Developer, Role::Developer, Role::User]);
    assert!(!developer[0].1.contains("Use tabs."));
    assert!(developer[1].1.contains("Use tabs.") && developer[2].1.contains("Use semicolons."));

    let preamble = placed(InstructionPlacement::Preamble).await;
    let roles: Vec<_> = preamble.iter().map(|(role, _)| *role).collect();
    assert_eq!(roles, [Role::System, Role::User, Role::User]);
    assert!(preamble[1].1.contains("Use tabs.") && preamble[1].1.contains("Use semicolons."));
}

#[tokio::test]
async fn git_status_is_asked_for_anew_at_each_turn_and_stands_last() {
    let folder = tempfile::tempdir().unwrap();
    let git = |arguments: &[&str]| {
        let status =
            std::process::Command::new("git").args(arguments).current_dir(folder.path()).output();
        assert!(status.unwrap().status.success());
    };
    git(&["init", "-q", "-b", "trunk"]);
    let model = hello();
    let agent = agent(SystemPromptLayer::default().with_git_status(), &model);
    let session = Session::new();
    agent.turn(&session, "hi").cwd(folder.path()).await.unwrap();
    fs::write(folder.path().join("new_file.txt"), "new").unwrap();
    agent.turn(&session, "hi").cwd(folder.path()).await.unwrap();
    let systems = systems(&model);
    assert!(!systems[0][0].contains("new_file.txt") && systems[1][0].contains("new_file.txt"));
    let (last_one, last_two) = (model.requests()[0].log.clone(), model.requests()[1].log.clone());
    let prefix = |log: &brute_core::Log| {
        let system = log.get(0).unwrap().clone();
        let sections: Vec<_> = system.sections().cloned().collect();
        assert_eq!(sections.last().unwrap().zone, Zone::Dynamic);
        sections[..sections.len() - 1].to_vec()
    };
    assert_eq!(prefix(&last_one), prefix(&last_two), "what stands before keeps its bytes");
}

#[tokio::test]
async fn rules_that_change_between_two_turns_leave_what_stands_before_them_alone() {
    let model = hello();
    let agent = agent(SystemPromptLayer::default().gather(None), &model);
    let session = Session::new();
    for rules in ["One.", "Two, and more."] {
        agent.turn(&session, "hi").fact("custom_rules", rules).await.unwrap();
    }
    let systems = systems(&model);
    let (one, two) = (systems[0][0].split_once("One."), systems[1][0].split_once("Two, and more."));
    let (before, behind) = one.unwrap();
    assert_eq!(two, Some((before, behind)));
    assert!(before.contains("# Git safety") && before.contains("<env>"), "{before}");
    assert!(!behind.contains("\n# "), "rules stand last: {behind}");
}
