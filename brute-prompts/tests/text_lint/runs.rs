//! The texts about runs of several stages, for runs that make them say everything.

use brute_prompts::{
    Texts,
    directive::simulated_response,
    preamble::{LARGE_VALUE, Outcome, Preamble, PreambleMode, Run, Stage, StageUsage},
};
use serde_json::json;

use crate::stacks::{Mode, Offer, Part, Stack};

/// Returns true for a text about runs; their lists are nested, and most of what they show is data.
pub(crate) fn is_text(module: &str) -> bool {
    module.starts_with("preamble_") || module == "simulated_response"
}

/// Renders every text.
pub(crate) fn all() -> Vec<Stack> {
    let telling = || PreambleMode::all().filter(|mode| *mode != PreambleMode::Full);
    let plain = telling().map(|mode| preamble(mode, &run()));
    let long = telling().map(|mode| preamble(mode, &long_run()));
    let nested = stack("preamble_nested", say(PreambleMode::Truncate, &nested_run()));
    let simulated = simulated_response(&Texts::shipped(), "plan").unwrap();
    plain.chain(long).chain([nested, stack("simulated_response", simulated)]).collect()
}

fn preamble(mode: PreambleMode, run: &Run) -> Stack {
    let module = format!("preamble_{}", mode.name().replace(':', "_"));
    stack(&module, say(mode, run))
}

fn say(mode: PreambleMode, run: &Run) -> String {
    Preamble::new(mode).render(run).unwrap().unwrap().trim_end().to_owned()
}

fn stack(module: &str, text: String) -> Stack {
    let part = Part { name: module.into(), file: "default".into(), is_static: false, text };
    let (offer, mode) = (Offer::All, Mode::Usual);
    Stack { family: module.into(), offer, mode, sections: vec![part] }
}

fn run() -> Run {
    let command = Stage {
        outcome: Some(Outcome::Failed),
        handler: Some("command".into()),
        notes: Some("flaky".into()),
        failure_reason: Some("exit code 1".into()),
        script: Some("make".into()),
        stdout: Some(vec!["ok"; 60].join("\n")),
        ..Stage::new("build")
    };
    let agent = Stage {
        model: Some("m-1".into()),
        usage: Some(StageUsage { input_tokens: 10, output_tokens: 5 }),
        files: vec!["cart.rs".into()],
        response: Some("Done.".into()),
        ..Stage::new("plan")
    };
    let context = [("branch".to_owned(), json!("main")), ("dump".to_owned(), json!(""))];
    Run {
        goal: "Ship the cart.".into(),
        id: "r-42".into(),
        total_stages: Some(4),
        stages: vec![agent, command],
        context: context.into(),
        ..Run::default()
    }
}

/// A run with more than is told, and with values that are too large to be shown.
fn long_run() -> Run {
    let large = "x".repeat(LARGE_VALUE + 1);
    let big = |id: &str| Stage { response: Some(large.clone()), ..Stage::new(id) };
    let stages = (0..200).map(|number| Stage::new(format!("s{number}")));
    let values = (0..500).map(|number| (format!("k{number}"), json!(1)));
    let others = [("a".to_owned(), json!(large)), ("b".to_owned(), json!(large))];
    let stored = ["b", "response.far"].map(|key| (key.to_owned(), "/srv/values.txt".to_owned()));
    Run {
        stages: stages.chain([big("near"), big("far")]).collect(),
        context: values.chain(others).collect(),
        stored: stored.into(),
        ..run()
    }
}

fn nested_run() -> Run {
    Run { parent: Some("Goal: Open the shop.".into()), ..run() }
}

/// The words of a preamble are few beside what they tell.
#[test]
fn the_frame_of_a_preamble_is_short() {
    for mode in PreambleMode::all().filter(|mode| *mode != PreambleMode::Full) {
        let small = Run { goal: "x".into(), stages: vec![Stage::new("x")], ..Run::default() };
        let length = say(mode, &small).chars().count();
        assert!(length <= 200, "{mode}: {length} characters");
    }
}
