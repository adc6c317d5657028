//! The scenarios, by name.

use brute_core::{Agent, Entry, Error, ErrorKind, Log, Message, Session};
use brute_prompts::{PromptContext, SystemPrompt};
use tokio::runtime::{Builder, Runtime};

use crate::{
    largest::largest,
    measure::{Measured, measure},
    stacks::{bare, prompted, whole},
};

/// All names, in the order of the table in `docs/performance.md`.
pub(crate) const NAMES: [&str; 14] = [
    "turn_mw0",
    "turn_mw5",
    "turn_mw10",
    "turn_h1000",
    "loop50",
    "loop50_mw10",
    "loop50_h1000",
    "loop50_h100000",
    "loop50_default",
    "sessions1000",
    "prompt_default",
    "prompt_default_openai",
    "prompt_largest",
    "turn_prompt_default",
];

/// How many sessions `sessions1000` runs, and how many tool steps each takes before its answer.
const SESSIONS: usize = 1_000;
const SESSION_STEPS: u32 = 9;

/// What is measured.
pub(crate) enum Scenario {
    /// One turn on a session that has a history.
    Turn { agent: Agent, history: usize, added: usize },
    /// Many sessions at once on two workers, sharing one agent.
    Sessions { agent: Agent },
    /// Rendering and joining a prompt.
    Prompt { prompt: SystemPrompt, ctx: Box<PromptContext> },
}

impl Scenario {
    /// Returns the scenario of a name.
    pub(crate) fn named(name: &str) -> Result<Self, Error> {
        let turn = |agent: Agent, history, steps: usize| Self::Turn {
            agent,
            history,
            added: 2 * steps + 2,
        };
        Ok(match name {
            "turn_mw0" => turn(bare(0, 0)?, 0, 0),
            "turn_mw5" => turn(bare(0, 5)?, 0, 0),
            "turn_mw10" => turn(bare(0, 10)?, 0, 0),
            "turn_h1000" => turn(bare(0, 0)?, 1_000, 0),
            "loop50" => turn(bare(50, 0)?, 0, 50),
            "loop50_mw10" => turn(bare(50, 10)?, 0, 50),
            "loop50_h1000" => turn(bare(50, 0)?, 1_000, 50),
            "loop50_h100000" => turn(bare(50, 0)?, 100_000, 50),
            "loop50_default" => turn(whole(50)?, 0, 50),
            "turn_prompt_default" => turn(prompted(0)?, 0, 0),
            "sessions1000" => Self::Sessions { agent: bare(SESSION_STEPS, 0)? },
            "prompt_default" => prompt("", ""),
            "prompt_default_openai" => prompt("openai", "gpt"),
            "prompt_largest" => {
                let (prompt, ctx) =
                    largest().map_err(|error| Error::new(ErrorKind::Invalid, error.to_string()))?;
                Self::Prompt { prompt, ctx: Box::new(ctx) }
            }
            _ => {
                let message = format!("unknown scenario {name:?}: there are {}", NAMES.join(", "));
                return Err(Error::new(ErrorKind::Invalid, message));
            }
        })
    }

    /// Says what one call is.
    pub(crate) fn note(&self) -> String {
        match self {
            Self::Turn { history, added, .. } => {
                format!("one turn, {added} messages on top of {history}")
            }
            Self::Sessions { .. } => format!("{SESSIONS} sessions of 10 steps on two workers"),
            Self::Prompt { prompt, ctx } => {
                let bytes = prompt.prepare(ctx).map_or(0, |rendered| rendered.text().len());
                format!("prepare and join a prompt of {bytes} bytes, facts given")
            }
        }
    }

    /// Measures it.
    pub(crate) fn measure(
        &self,
        times: (usize, usize),
    ) -> Result<Measured, Box<dyn std::error::Error>> {
        Ok(match self {
            Self::Turn { agent, history, added } => turns(agent, *history, *added, times)?,
            Self::Sessions { agent } => sessions(agent, times)?,
            Self::Prompt { prompt, ctx } => prompts(prompt, ctx, times),
        })
    }
}

fn turns(
    agent: &Agent,
    history: usize,
    added: usize,
    times: (usize, usize),
) -> Result<Measured, Box<dyn std::error::Error>> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let base = with_facts(agent, &runtime, &past(history))?;
    let take = |session: &mut Session| {
        drop(runtime.block_on(agent.send(session, "hi")).expect("the model does not fail"));
    };
    let check = |session: &Session| {
        assert_eq!(session.log().len(), history + added, "messages are missing");
    };
    Ok(measure(times, || base.fork(), take, take, check))
}

fn sessions(agent: &Agent, times: (usize, usize)) -> Result<Measured, Box<dyn std::error::Error>> {
    let workers = Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let alone = Builder::new_current_thread().enable_all().build()?;
    let prepare = || (0..SESSIONS).map(|_| Session::new()).collect::<Vec<_>>();
    let at_once = |sessions: &mut Vec<Session>| take_all(&workers, agent, sessions);
    let counted = |sessions: &mut Vec<Session>| take_all(&alone, agent, sessions);
    let check = |sessions: &Vec<Session>| {
        assert!(sessions.iter().all(|session| session.log().len() == 20), "messages are missing");
    };
    Ok(measure(times, prepare, at_once, counted, check))
}

fn take_all(runtime: &Runtime, agent: &Agent, sessions: &[Session]) {
    runtime.block_on(async {
        let turns: Vec<_> =
            sessions.iter().map(|session| tokio::spawn(agent.send(session, "hi"))).collect();
        for turn in turns {
            drop(turn.await.expect("no panic").expect("the model does not fail"));
        }
    });
}

fn prompts(prompt: &SystemPrompt, ctx: &PromptContext, times: (usize, usize)) -> Measured {
    let take = |text: &mut String| {
        *text = prompt.prepare(ctx).expect("the prompt renders").to_string();
    };
    measure(times, String::new, take, take, |text| {
        assert!(text.len() > 1_000, "the prompt is missing");
    })
}

fn past(messages: usize) -> Log {
    let text = "x".repeat(100);
    (0..messages)
        .map(
            |index| if index % 2 == 0 { Message::user(&*text) } else { Message::assistant(&*text) },
        )
        .collect()
}

fn prompt(provider: &str, model: &str) -> Scenario {
    Scenario::Prompt { prompt: SystemPrompt::default(), ctx: Box::new(facts(provider, model)) }
}

/// A session without messages whose facts were gathered, as they are from its second turn on.
fn with_facts(agent: &Agent, runtime: &Runtime, messages: &Log) -> Result<Session, Error> {
    let first = Session::new();
    drop(runtime.block_on(agent.send(&first, "hi"))?);
    let meta = first.meta();
    let facts =
        meta.iter().map(|(key, value)| Entry::Meta { key: key.into(), value: value.clone() });
    Session::reopen(facts.chain(messages.iter().cloned().map(Entry::Message)))
}

fn facts(provider: &str, model: &str) -> PromptContext {
    PromptContext {
        cwd: Some("/srv/app".into()),
        platform: Some("linux".into()),
        date: Some("Thu Mar 05 2026".into()),
        is_git: Some(true),
        skills: Some([].into()),
        custom_rules: Some("Run the linter before you finish.".into()),
        ..PromptContext::new(provider, model)
    }
}
