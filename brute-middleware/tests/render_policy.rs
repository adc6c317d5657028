//! A prompt that is kept holds what is stable; what may change with each call is rendered anew.

use brute_core::{
    Agent, Role, Session,
    models::{Script, ScriptedModel},
    testing::{LintedStack, Recorder},
};
use brute_middleware::{AcceptInputLayer, RenderPolicy, SystemPromptLayer, ToolLoopLayer};
use brute_prompts::{
    Contributed, Contribution, Family, InstructionFile, InstructionPlacement, Module,
    PromptContext, PromptSettings, SystemPrompt, Texts, gather::PromptFileOptions,
};
use serde_json::json;

const KEEPING: [RenderPolicy; 2] = [RenderPolicy::OncePerSession, RenderPolicy::Snapshot];

/// Adds the fact `quota` behind everything.
struct Quota;

impl Contribution for Quota {
    fn contribute(&self, ctx: &PromptContext, _: &Family) -> Option<Contributed> {
        let quota = ctx.extra.get("quota")?.as_str()?.to_owned();
        Some(Contributed::new().suffix(Module::text("quota", quota)))
    }
}

/// Says the fact `rules`, and in full mode that it does.
fn prompt() -> SystemPrompt {
    let rules = Module::from_fn("rules", |ctx: &PromptContext| {
        Ok(ctx.custom_rules.as_deref().map(str::to_owned))
    });
    let full = Module::text("full", "Full.");
    SystemPrompt::new([rules, full]).keep_in_minimal("rules").contribution(Quota)
}

fn agent(prompt: SystemPrompt, policy: RenderPolicy, model: &ScriptedModel) -> Agent {
    let layer = SystemPromptLayer::new(prompt).gather(None).policy(policy);
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(layer)
        .layer(ToolLoopLayer)
        .model(model.clone());
    Agent::builder(stack).build().unwrap()
}

/// The messages of each request that the user did not write.
fn told(model: &ScriptedModel) -> Vec<Vec<String>> {
    let is_told = |role| matches!(role, Role::System | Role::Developer);
    let of = |turn: &brute_core::Turn| {
        let told = turn.log.iter().filter(|message| is_told(message.role));
        told.map(|message| message.text()).collect()
    };
    model.requests().iter().map(of).collect()
}

fn hello() -> ScriptedModel {
    ScriptedModel::answering(|_| Script::text("Hello."))
}

#[tokio::test]
async fn sections_that_may_change_are_rendered_for_each_turn() {
    for policy in KEEPING {
        let (model, session) = (hello(), Session::new());
        let agent = agent(prompt(), policy, &model);
        for number in ["One", "Two"] {
            let turn = agent.turn(&session, "hi").fact("custom_rules", format!("{number}."));
            turn.fact("quota", format!("{number} left.")).await.unwrap();
        }
        agent.turn(&session, "hi").await.unwrap();
        let expected =
            ["One.\n\nFull.\n\nOne left.", "One.\n\nFull.\n\nTwo left.", "One.\n\nFull."];
        assert_eq!(told(&model), expected.map(|text| [text]), "{policy:?}");
    }
}

#[tokio::test]
async fn what_comes_later_is_told_where_it_may_change_and_stays_out_where_it_holds() {
    for policy in KEEPING {
        let (model, session) = (hello(), Session::new());
        let agent = agent(prompt(), policy, &model);
        agent.send(&session, "hi").await.unwrap();
        let later = agent.turn(&session, "hi").fact("custom_rules", "Late.");
        later.fact("quota", "One left.").await.unwrap();
        assert_eq!(told(&model), [["Full."], ["Full.\n\nOne left."]], "{policy:?}");
    }
}

#[tokio::test]
async fn of_two_sections_of_one_name_the_one_that_may_change_is_rendered_anew() {
    let words = [
        ("host/default.txt", "Fixed."),
        ("other/default.txt", "{% if agent %}Mode {{ agent }} {{ n }}.{% endif %}"),
    ];
    let texts = Texts::shipped().with(words).unwrap();
    let other = Module::from("other").named("host");
    let prompt = SystemPrompt::new([Module::from("host"), other]).texts(texts);
    for policy in KEEPING {
        let (model, session) = (hello(), Session::new());
        let agent = agent(prompt.clone(), policy, &model);
        for n in [1, 2] {
            agent.turn(&session, "hi").fact("n", n).fact("agent", "build").await.unwrap();
        }
        let expected = ["Fixed.\n\nMode build 1.", "Fixed.\n\nMode build 2."];
        assert_eq!(told(&model), expected.map(|text| [text]), "{policy:?}");
    }
}

#[tokio::test]
async fn a_section_that_changes_its_zone_neither_vanishes_nor_stands_twice() {
    for policy in KEEPING {
        for (dynamic_at, first, second) in [(1, "ID\n\nA", "ID\n\nB"), (2, "ID\n\nB", "ID\n\nB")] {
            let words =
                format!("{{% if n == {dynamic_at} and agent %}}A{{% else %}}B{{% endif %}}");
            let texts = Texts::shipped().with([("own/default.txt", words)]).unwrap();
            let prompt = SystemPrompt::new([Module::text("id", "ID"), "own".into()]).texts(texts);
            let (model, session) = (hello(), Session::new());
            let agent = agent(prompt, policy, &model);
            for n in [1, 2] {
                agent.turn(&session, "hi").fact("n", n).fact("agent", "build").await.unwrap();
            }
            assert_eq!(told(&model), [[first], [second]], "{policy:?}, dynamic at {dynamic_at}");
        }
    }
}

#[tokio::test]
async fn sections_in_messages_of_their_own_are_kept_as_well() {
    for policy in KEEPING {
        let (model, session) = (hello(), Session::new());
        let agent = agent(prompt().as_messages(["rules"]), policy, &model);
        for rules in ["One.", "Two."] {
            agent.turn(&session, "hi").fact("custom_rules", rules).await.unwrap();
        }
        assert_eq!(told(&model), [["Full.", "One."], ["Full.", "One."]], "{policy:?}");
    }
}

#[tokio::test]
async fn each_role_keeps_its_own_prompt_in_one_session() {
    let session = Session::new();
    let model = hello();
    let layer = |role: &str| {
        let files = PromptFileOptions::default().role(role);
        let settings = PromptSettings::default();
        SystemPromptLayer::new(prompt()).gather(None).prompt_files(files, settings)
    };
    for policy in KEEPING {
        for (role, rules) in [("a", "1."), ("b", "2."), ("a", "3."), ("b", "4.")] {
            let stack = LintedStack::new()
                .layer(AcceptInputLayer)
                .layer(layer(role).policy(policy))
                .layer(ToolLoopLayer)
                .model(model.clone());
            let agent = Agent::builder(stack).build().unwrap();
            agent.turn(&session, "hi").fact("custom_rules", rules).await.unwrap();
        }
        let told: Vec<_> = told(&model).into_iter().rev().take(4).rev().flatten().collect();
        assert_eq!(
            told,
            ["1.", "2.", "1.", "2."].map(|rules| format!("{rules}\n\nFull.")),
            "{policy:?}"
        );
    }
}

#[tokio::test]
async fn the_mode_is_that_of_the_first_turn_wherever_a_section_stands() {
    let file = InstructionFile {
        path: "/srv/AGENTS.md".into(),
        text: "Use tabs.".into(),
        ..InstructionFile::default()
    };
    for policy in KEEPING {
        for (first, later) in [("minimal", "full"), ("full", "minimal")] {
            let (model, session) = (hello(), Session::new());
            let prompt = prompt().instruction_placement(InstructionPlacement::Developer);
            let agent = agent(prompt, policy, &model);
            for mode in [first, later] {
                let turn = agent.turn(&session, "hi").fact("prompt_mode", mode);
                let turn = turn.fact("custom_rules", "One.");
                turn.fact("instructions", json!([file])).await.unwrap();
            }
            let told = told(&model);
            assert_eq!(told[0], told[1], "{policy:?}, {first}");
            assert_eq!(told[0].len(), if first == "full" { 2 } else { 1 }, "{policy:?}, {first}");
        }
    }
}

#[tokio::test]
async fn a_kept_prompt_counts_even_where_what_may_change_fails() {
    let told = Recorder::default();
    let events = told.diagnostics();
    let (model, session) = (hello(), Session::new());
    agent(prompt(), RenderPolicy::Snapshot, &model)
        .turn(&session, "hi")
        .fact("custom_rules", "One.")
        .await
        .unwrap();
    let broken = SystemPrompt::build(|_, _| Err(brute_prompts::PromptError::module("it broke")));
    let agent = agent(broken, RenderPolicy::Snapshot, &model);
    agent.turn(&session, "hi").events(events).await.unwrap();
    assert_eq!(self::told(&model), [["One.\n\nFull."], ["One.\n\nFull."]]);
    assert!(told.list()[0].contains("it broke"), "{:?}", told.list());
}
