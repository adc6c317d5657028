//! Each change of the prefix is named, and nothing else is.

use std::sync::Arc;

use brute_core::{
    Agent, Error, Event, Events, Message, ModelId, Next, Part, Section, Session, Settings, Turn,
    Usage, Zone, from_fn,
    models::{Script, ScriptedModel},
    testing::{LintedStack, Recorder},
    tool_fn,
};
use brute_middleware::{
    AcceptInputLayer, CacheAuditLayer, JournalLayer, MaxStepsLayer, PlanModeLayer, RemindersLayer,
    SystemPromptLayer, ToolCallsLayer, ToolLoopLayer, set_mode,
};
use serde_json::{Value, json};

const STEPS: u32 = 50;

fn model(usage: fn(u32) -> Usage) -> ScriptedModel {
    ScriptedModel::answering(move |turn| {
        let script = if turn.facts.step < STEPS {
            Script::call("look", json!({}))
        } else {
            Script::text("done")
        };
        script.usage(usage(turn.facts.step))
    })
}

/// Takes a turn of 50 steps in which a change is made to each request, and returns what was named.
async fn audit(change: fn(&mut Turn), usage: fn(u32) -> Usage, mode: &str) -> Vec<String> {
    let inject = from_fn(move |mut turn: Turn, next: Next| {
        change(&mut turn);
        next.run(turn)
    });
    let look = |name| {
        tool_fn(name, "Looks.", |_: Value, _| std::future::ready(Ok::<_, Error>("seen")))
            .read_only()
    };
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(SystemPromptLayer::default().gather(None))
        .layer(ToolLoopLayer)
        .layer(MaxStepsLayer::new(STEPS - 1))
        .layer(PlanModeLayer)
        .layer(RemindersLayer::default())
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .layer(inject)
        .layer(CacheAuditLayer)
        .model(model(usage));
    let agent =
        Agent::builder(stack).tool(look("look")).tool(look("peek")).model("anthropic", "claude");
    let (agent, session) = (agent.build().unwrap(), Session::new());
    set_mode(&session, mode);
    let recorder = Recorder::default();
    let notes = recorder.clone();
    let events = Events::inline(move |event| {
        if let Event::PrefixChanged { what, lost_tokens } = event {
            let lost = lost_tokens.map(|lost| format!(" ({lost} lost)")).unwrap_or_default();
            notes.note(format!("{what}{lost}"));
        }
    });
    let turn = agent.turn(&session, "hi").settings(|settings: &mut Settings| settings.top_p = None);
    turn.events(events.clone()).await.unwrap();
    agent.turn(&session, "again").events(events).await.unwrap();
    recorder.list()
}

fn no_usage(_: u32) -> Usage {
    Usage::default()
}

#[tokio::test]
async fn a_session_whose_prefix_holds_is_not_told_of_anything() {
    assert_eq!(audit(|_| {}, no_usage, "build").await, Vec::<String>::new());
}

#[tokio::test]
async fn reminders_at_the_end_of_a_call_change_nothing() {
    assert_eq!(audit(|_| {}, no_usage, "plan").await, Vec::<String>::new());
}

fn system(turn: &mut Turn, change: impl FnOnce(&mut Message)) {
    let mut message = (**turn.log.get(0).unwrap()).clone();
    change(&mut message);
    let rest: Vec<_> = turn.log.since(1).cloned().collect();
    turn.log = [Arc::new(message)].into_iter().chain(rest).collect();
}

fn add_section(turn: &mut Turn, name: &str, text: &str) {
    system(turn, |message| {
        let section = Section { name: name.into(), zone: Zone::Session, text: text.into() };
        message.parts.push(Part::Section(section));
    });
}

fn rewrite(turn: &mut Turn, index: usize, text: &str) {
    let mut messages: Vec<_> = turn.log.iter().cloned().collect();
    let message = Arc::make_mut(&mut messages[index]);
    message.parts = vec![Part::text(text)];
    turn.log = messages.into_iter().collect();
}

fn describe(turn: &mut Turn, description: &'static str) {
    let tool =
        tool_fn("peek", description, |_: Value, _| std::future::ready(Ok::<_, Error>("seen")));
    turn.tools = turn.tools.clone().filter(|spec| &*spec.name != "peek").with(tool).unwrap();
}

/// Ten changes, each from a step on; those before stay in force.
fn ten_changes(turn: &mut Turn) {
    let step = turn.facts.step;
    if step >= 5 {
        describe(turn, "Looks twice.");
    }
    if step >= 10 {
        turn.tools = turn.tools.clone().filter(|spec| &*spec.name != "look");
    }
    if step >= 14 {
        add_section(turn, "clock", "It is noon.");
    }
    if step >= 18 {
        system(turn, |message| {
            if let Part::Section(section) = &mut message.parts[0] {
                section.text = "You are somebody else.".into();
            }
        });
    }
    if step >= 22 {
        system(turn, |message| drop(message.parts.remove(1)));
    }
    if step >= 26 {
        turn.model = ModelId::new("anthropic", "other");
    }
    if step >= 30 {
        rewrite(turn, 1, "Hello!");
    }
    if step >= 34 {
        system(turn, |message| message.parts.swap(1, 2));
    }
    if step >= 38 {
        let extra =
            tool_fn("extra", "Is new.", |_: Value, _| std::future::ready(Ok::<_, Error>("seen")));
        turn.tools = turn.tools.clone().with(extra).unwrap();
    }
    if step >= 42 {
        add_section(turn, "weather", "It rains.");
    }
}

#[tokio::test]
async fn ten_changes_in_a_session_of_fifty_steps_are_each_named_and_nothing_else() {
    let inject = from_fn(|mut turn: Turn, next: Next| {
        ten_changes(&mut turn);
        next.run(turn)
    });
    let look = |name| {
        tool_fn(name, "Looks.", |_: Value, _| std::future::ready(Ok::<_, Error>("seen")))
            .read_only()
    };
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(SystemPromptLayer::default().gather(None))
        .layer(ToolLoopLayer)
        .layer(ToolCallsLayer::new())
        .layer(JournalLayer)
        .layer(inject)
        .layer(CacheAuditLayer)
        .model(model(no_usage));
    let agent =
        Agent::builder(stack).tool(look("look")).tool(look("peek")).model("anthropic", "claude");
    let recorder = Recorder::default();
    let notes = recorder.clone();
    let events = Events::inline(move |event| {
        if let Event::PrefixChanged { what, .. } = event {
            notes.note(&*what);
        }
    });
    agent.build().unwrap().turn(&Session::new(), "hi").events(events).await.unwrap();
    assert_eq!(
        recorder.list(),
        [
            "tool peek changed",
            "tool look was removed",
            "section clock was added",
            "section identity changed",
            "section tone_and_style was removed",
            "the model anthropic/other in place of anthropic/claude",
            "message 1 (User, id 1) changed",
            "the order of the sections",
            "tool extra was added",
            "section weather was added",
        ]
    );
}

#[tokio::test]
async fn what_a_change_cost_is_told_where_the_provider_counts() {
    let usage = |step| match step {
        1 => Usage { cache_write: 1_000, ..Usage::default() },
        3 => Usage { cache_read: 200, ..Usage::default() },
        _ => Usage { cache_read: 1_000, ..Usage::default() },
    };
    let change = |turn: &mut Turn| {
        if turn.facts.step >= 3 || turn.journal.recorded() > 4 {
            describe(turn, "Looks twice.");
        }
    };
    let told = audit(change, usage, "build").await;
    assert_eq!(told[0], "tool peek changed (800 lost)");
}
