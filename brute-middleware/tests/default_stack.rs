//! The recommended stack: its picture, and that its parts work together.

use std::{fs, time::Duration};

use brute_core::{
    Agent, Error, Next, Picture, Reply, Session, StopReason, Turn, from_fn,
    models::{Script, ScriptedModel},
    tool_fn,
};
use brute_middleware::{DefaultStack, PreambleLayer, SystemPromptLayer, default_stack};
use brute_prompts::{Module, SystemPrompt, gather::GatherOptions, preamble::Run};
use serde_json::{Value, json};
use tower::{limit::ConcurrencyLimitLayer, timeout::TimeoutLayer};

#[test]
fn the_picture_is_drawn_from_the_stack_itself() {
    let stack = default_stack()
        .max_steps(7)
        .tool_timeout(Duration::from_secs(9))
        .around_input(PreambleLayer::new(Run::default()))
        .around_turn(TimeoutLayer::new(Duration::from_mins(1)))
        .around_model(ConcurrencyLimitLayer::new(4))
        .around_tools(ConcurrencyLimitLayer::new(2))
        .model(ScriptedModel::text("hi"));
    let expected = "\
├ Events                           turns
├ Skills                           finds them at the first turn
├ SlashCommands                    /name rest in what the user wrote
├ Preamble
├ ModeMessages                     when a mode begins or ends
├ AcceptInput                      records the input
├ SystemPrompt                     when the log has none
├ (tower) Timeout
├ ToolLoop                         calls again while tool results are pending
│  ├ Events                        steps
│  ├ MaxSteps                      7 steps, then an answer in text
│  ├ PlanMode                      plan and build
│  ├ Reminders                     for this one call, at its end
│  ├ ToolCalls                     side by side, results in call order
│  │  ├ PlanGuard                  refuses tools that write in plan mode
│  │  ├ (tower) ConcurrencyLimit
│  │  ├ (tower) Timeout            9s for each tool
│  │  └ the tool
│  ├ Journal                       records the answer before any tool starts
│  ├ (tower) ConcurrencyLimit
│  └ ScriptedModel
";
    assert_eq!(stack.to_string(), expected);
}

#[test]
fn adding_a_layer_changes_the_picture() {
    async fn sign(
        turn: brute_core::Turn,
        next: brute_core::Next,
    ) -> Result<brute_core::Reply, Error> {
        next.run(turn).await
    }
    let names = |picture: &Picture| picture.names().map(str::to_owned).collect::<Vec<_>>();
    let plain = default_stack().model(ScriptedModel::text("hi"));
    let signed = default_stack().around_model(from_fn(sign)).model(ScriptedModel::text("hi"));
    assert!(!names(plain.picture()).contains(&"sign".to_owned()));
    assert!(names(signed.picture()).contains(&"sign".to_owned()));
}

#[tokio::test]
async fn its_parts_work_together() {
    let prompt =
        SystemPrompt::default().replace("identity", Module::text("identity", "You are Rex."));
    let model = ScriptedModel::answering(|turn| match turn.facts.step {
        1..=2 => Script::call("look", json!({})),
        _ => Script::text("done"),
    });
    let stack =
        default_stack().prompt(prompt).max_steps(2).tool_concurrency(1).model(model.clone());
    let look = tool_fn("look", "Looks.", |_: Value, _| std::future::ready(Ok::<_, Error>("seen")));
    let agent = Agent::builder(stack).tool(look).model("openai", "gpt").build().unwrap();
    let session = Session::new();
    let reply = agent.send(&session, "hi").await.unwrap();
    assert_eq!((reply.stop, reply.answer().as_str()), (StopReason::MaxSteps, "done"));
    let first = model.requests()[0].log.get(0).unwrap().text();
    assert!(first.starts_with("You are Rex."), "{first}");
    let requests = model.requests();
    let systems: Vec<_> = requests.iter().map(|turn| turn.log.get(0).unwrap().text()).collect();
    assert!(systems.iter().all(|system| *system == systems[0]), "the prefix keeps its bytes");
    assert_eq!(session.log().len(), 6);
}

#[tokio::test]
async fn building_twice_from_one_value_gives_two_stacks_that_behave_alike() {
    let recipe = default_stack().max_steps(3);
    for _ in 0..2 {
        let stack = recipe.clone().model(ScriptedModel::text("hi"));
        let agent = Agent::builder(stack).build().unwrap();
        assert_eq!(agent.send(&Session::new(), "hi").await.unwrap().answer(), "hi");
    }
}

#[tokio::test]
async fn two_sessions_on_one_agent_do_not_mix() {
    let model = ScriptedModel::answering(|turn| {
        let first =
            turn.log.iter().find(|message| message.role == brute_core::Role::User).unwrap().text();
        Script::text(&format!("you are {first}")).pending(3)
    });
    let agent = Agent::builder(default_stack().model(model)).build().unwrap();
    let (one, two) = (Session::new(), Session::new());
    for _ in 0..3 {
        let (first, second) = tokio::join!(agent.send(&one, "one"), agent.send(&two, "two"));
        assert_eq!(first.unwrap().answer(), "you are one");
        assert_eq!(second.unwrap().answer(), "you are two");
    }
}

/// Builds an agent of the default stack that has a tool `skill` of its own.
fn with_own_skill(stack: DefaultStack) -> Result<Agent, Error> {
    let own = tool_fn("skill", "Is the host's own.", |_: Value, _| {
        std::future::ready(Ok::<_, Error>("from the host"))
    });
    Agent::builder(stack.model(ScriptedModel::text("hi"))).tool(own).build()
}

#[test]
fn a_tool_named_like_that_for_skills_is_an_error_when_the_agent_is_built() {
    let error = with_own_skill(default_stack()).unwrap_err();
    let text = error.to_string();
    for piece in ["\"skill\"", "Skills", "Is the host's own.", "Toolbox::rename"] {
        assert!(text.contains(piece), "{text}");
    }
}

#[tokio::test]
async fn without_skills_the_agent_may_have_a_tool_of_that_name() {
    let options = GatherOptions::default().without_skills();
    let stack = |layer| default_stack().system_prompt(layer);
    for stack in [
        default_stack().without_skills(),
        default_stack().without_skills().prompt(SystemPrompt::new(["identity"])),
        stack(SystemPromptLayer::default().gather(options)),
        stack(SystemPromptLayer::default().gather(None)),
    ] {
        let agent = with_own_skill(stack).unwrap();
        assert_eq!(agent.send(&Session::new(), "hi").await.unwrap().answer(), "hi");
    }
}

#[tokio::test]
async fn without_skills_those_that_a_session_keeps_do_not_count() {
    let project = tempfile::tempdir().unwrap();
    let skill = project.path().join(".brute/skills/greet");
    fs::create_dir_all(&skill).unwrap();
    fs::write(skill.join("SKILL.md"), "---\nname: greet\ndescription: Greets.\n---\nHi.\n")
        .unwrap();
    let model = ScriptedModel::answering(|_| Script::text("hi"));
    let agent = |stack: DefaultStack| Agent::builder(stack.model(model.clone())).build().unwrap();
    let session = Session::new();
    for (stack, input) in [(default_stack(), "hi"), (default_stack().without_skills(), "/greet")] {
        agent(stack).turn(&session, input).cwd(project.path()).await.unwrap();
    }
    let requests = model.requests();
    let seen = requests.iter().map(|turn| {
        let lists = turn.log.get(0).unwrap().text().contains("<name>greet</name>");
        (lists, turn.tools.get("skill").is_some())
    });
    assert_eq!(seen.collect::<Vec<_>>(), [(true, true), (false, false)]);
    assert_eq!(requests[1].log.last().unwrap().text(), "/greet");
}

#[tokio::test]
async fn a_lint_finds_a_broken_layer_in_the_default_stack_and_lets_others_pass() {
    let pass = || from_fn(|turn: Turn, next: Next| async move { next.run(turn).await });
    let lose = || {
        from_fn(|turn: Turn, next: Next| async move {
            next.run(turn).await?;
            Ok(Reply::text("something else"))
        })
    };
    let model = || ScriptedModel::text("hi");
    let sound = default_stack().around_input(pass()).around_turn(pass()).around_model(pass());
    let agent = Agent::builder(sound.linted().model(model())).build().unwrap();
    assert_eq!(agent.send(&Session::new(), "hi").await.unwrap().answer(), "hi");

    let broken = default_stack().around_turn(lose()).linted().model(model());
    let agent = Agent::builder(broken).build().unwrap();
    let panic = tokio::spawn(agent.send(&Session::new(), "hi")).await.unwrap_err().into_panic();
    let text = panic.downcast::<String>().unwrap();
    assert!(text.starts_with("law 1 broken by from_fn in"), "{text}");
}
