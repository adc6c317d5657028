//! What is said, and what it is said with.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use brute_core::{Agent, Session, StopReason};
use brute_middleware::{reload_prompt_facts, set_mode, tools};
use brute_prompts::{
    gather::{GatherOptions, gather},
    skill::Skill,
};
use tower::BoxError;

use super::{
    BOLD, DIM,
    bill::Bill,
    command::{self, Own},
    session_file::SessionFile,
    turn::{self, Outcome},
};
use crate::{
    arguments::Chat,
    folder,
    model::{Model, Shape},
    screen::{Screen, readable},
    told,
};

/// A conversation: who is asked, and what was said.
pub(super) struct Conversation {
    agent: Agent,
    model: Model,
    cwd: PathBuf,
    skills: Vec<Skill>,
    session: Session,
    file: Option<SessionFile>,
    bill: Bill,
    failed_turns: usize,
    /// Why the session is not in its file.
    unsaved: Option<BoxError>,
}

/// Whether the conversation goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    GoOn,
    Leave,
}

impl Conversation {
    /// Prepares a new conversation, or one that goes on.
    pub(super) fn open(chat: &Chat) -> Result<Self, BoxError> {
        let cwd = folder::open(&chat.cwd)?;
        let file = chat.session.as_deref().map(SessionFile::open).transpose()?;
        let session = file.as_ref().map(SessionFile::session).transpose()?.unwrap_or_default();
        let model = chat.model.choose()?;
        let agent = Agent::builder(model.stack(&Shape::default()))
            .model(model.id.provider(), model.id.model())
            .tools(tools::looking())
            .cwd(&cwd)
            .build()?;
        if chat.plan {
            set_mode(&session, "plan");
        }
        look_anew(&session, &cwd);
        let skills = gather(&GatherOptions::new(&cwd)).facts.skills.unwrap_or_default();
        let bill = Bill::new(&model);
        let (failed_turns, unsaved) = (0, None);
        Ok(Self { agent, model, cwd, skills, session, file, bill, failed_turns, unsaved })
    }

    /// Says who is asked, and how to be understood.
    pub(super) fn greet(&self, out: &mut impl Write, is_terminal: bool) -> io::Result<()> {
        let (model, cwd) = (self.model.described(), folder::shown(&self.cwd));
        writeln!(out, "{BOLD}A conversation with {model}{BOLD:#}\n{DIM}in {cwd}{DIM:#}")?;
        let said = self.session.log().len();
        if let Some(file) = self.file.as_ref().filter(|_| said > 0) {
            let file = folder::shown(file.path());
            writeln!(out, "{DIM}goes on after {said} messages of {file}{DIM:#}")?;
        }
        if is_terminal {
            let hint = "/help shows what can be typed; Ctrl-C stops a turn, Ctrl-D leaves";
            writeln!(out, "{DIM}{hint}{DIM:#}")?;
        }
        writeln!(out)
    }

    /// Returns all commands that can be typed, with their slash.
    pub(super) fn commands(&self) -> Vec<String> {
        command::names(&self.skills)
    }

    /// Returns what stands before the line that is typed.
    pub(super) fn prompt(&self) -> &'static str {
        if self.mode().as_deref() == Some("plan") { "plan> " } else { "> " }
    }

    /// Shows a line that nobody saw being typed.
    pub(super) fn repeat(&self, out: &mut impl Write, line: &str) -> io::Result<()> {
        writeln!(out, "{}{}", self.prompt(), readable(line))
    }

    /// Does what a line says.
    pub(super) async fn take(
        &mut self,
        out: &mut impl Write,
        line: &str,
    ) -> Result<Next, BoxError> {
        match command::find(line) {
            None => self.ask(out, line).await?,
            Some((Own::Help, _)) => command::write_help(out, &self.skills)?,
            Some((Own::Plan, rest)) => self.switch(out, "plan", rest).await?,
            Some((Own::Build, rest)) => self.switch(out, "build", rest).await?,
            Some((Own::Clear, _)) => self.clear(out)?,
            Some((Own::Usage, _)) => self.bill.write_all(out, &self.session.log())?,
            Some((Own::Quit, _)) => return Ok(Next::Leave),
        }
        Ok(Next::GoOn)
    }

    /// Ends the conversation.
    ///
    /// # Errors
    /// Fails where the session is not in its file, and where a turn failed unseen.
    pub(super) fn close(self, is_terminal: bool) -> Result<(), BoxError> {
        match (self.unsaved, self.failed_turns) {
            (Some(error), _) => Err(error),
            (None, 0) => Ok(()),
            (None, _) if is_terminal => Ok(()),
            (None, 1) => Err("one turn failed".into()),
            (None, failed) => Err(format!("{failed} turns failed").into()),
        }
    }

    async fn ask(&mut self, out: &mut impl Write, question: &str) -> Result<(), BoxError> {
        let before = self.session.log().len();
        let mut screen = Screen::new(out);
        let outcome = turn::take(&self.agent, &self.session, question, &mut screen).await?;
        match &outcome {
            Outcome::Ended(_) => {}
            Outcome::Dropped => screen.fails("The turn was dropped")?,
            Outcome::Failed(error) => {
                self.failed_turns += 1;
                screen.fails(&told("The turn failed", error))?;
            }
        }
        let is_whole = matches!(outcome, Outcome::Ended(stop) if stop != StopReason::Cancelled);
        self.bill.write_turn(out, &self.session.log(), before, is_whole)?;
        self.save(out)?;
        writeln!(out)?;
        Ok(())
    }

    async fn switch(
        &mut self,
        out: &mut impl Write,
        mode: &str,
        question: &str,
    ) -> Result<(), BoxError> {
        set_mode(&self.session, mode);
        if question.is_empty() {
            writeln!(out, "{DIM}{mode} mode from here on{DIM:#}\n")?;
            return Ok(());
        }
        self.ask(out, question).await
    }

    fn clear(&mut self, out: &mut impl Write) -> io::Result<()> {
        let mode = self.mode();
        self.session = Session::new();
        if let Some(mode) = mode {
            set_mode(&self.session, &mode);
        }
        write!(out, "{DIM}All that was said is forgotten")?;
        if let Some(file) = &self.file {
            write!(out, "; the next turn takes its place in {}", folder::shown(file.path()))?;
        }
        writeln!(out, "{DIM:#}\n")
    }

    fn save(&mut self, out: &mut impl Write) -> io::Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        self.unsaved = file.write(&self.session).err();
        match &self.unsaved {
            Some(error) => Screen::new(out).fails(&told("The session is not kept", &**error)),
            None => Ok(()),
        }
    }

    fn mode(&self) -> Option<String> {
        self.session.meta().get("agent_mode")?.as_str().map(str::to_owned)
    }
}

/// Lets a session that went on elsewhere see the directory that it is in now.
fn look_anew(session: &Session, cwd: &Path) {
    let meta = session.meta();
    let seen = meta.get("prompt_facts").and_then(|facts| facts.get("cwd")?.as_str());
    if seen.is_some_and(|seen| *seen != *cwd.to_string_lossy()) {
        reload_prompt_facts(session);
    }
}
