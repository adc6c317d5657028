//! Shows a turn as it runs: the text as it streams, the tools as they start and end.

use std::{
    io::{self, Write},
    mem,
};

use anstyle::{AnsiColor, Style};
use brute_core::{Event, Reply, StopReason, ToolCall};
use brute_prompts::plain;

const DIM: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default();

/// How many characters of a tool's arguments or complaint are shown.
const WIDTH: usize = 80;

/// Writes what happens in a turn.
pub(crate) struct Screen<'a, W> {
    out: &'a mut W,
    block: Block,
    steps: usize,
    tools: usize,
}

/// What the lines written last are; an empty line stands between two blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Frame,
    Tools,
    Text,
}

impl<'a, W: Write> Screen<'a, W> {
    /// Creates a screen for one turn.
    pub(crate) fn new(out: &'a mut W) -> Self {
        Self { out, block: Block::Frame, steps: 0, tools: 0 }
    }

    /// Shows what is asked.
    pub(crate) fn question(&mut self, question: &str) -> io::Result<()> {
        writeln!(self.out, "> {}", readable(question))
    }

    /// Shows what happens now.
    pub(crate) fn event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::StepStart { .. } => self.steps += 1,
            Event::Text { delta } => self.text(delta)?,
            Event::ToolStart { call } => self.tool_starts(call)?,
            Event::ToolEnd { name, text, is_error, .. } => self.tool_ends(name, text, *is_error)?,
            Event::StepFailed { message, .. } | Event::Diagnostic { message } => {
                self.remark(message)?;
            }
            Event::Retry { kind, wait, .. } => {
                self.remark(&format!("{kind:?}: tries again in {wait:.1?}"))?;
            }
            _ => {}
        }
        self.out.flush()
    }

    /// Shows how the turn ended.
    pub(crate) fn end(&mut self, reply: &Reply) -> io::Result<()> {
        let Self { steps, tools, .. } = *self;
        let (read, written) = (reply.usage.total() - reply.usage.output, reply.usage.output);
        self.enter(Block::Frame)?;
        if reply.stop != StopReason::EndTurn {
            writeln!(self.out, "{RED}The turn ended early: {:?}{RED:#}", reply.stop)?;
        }
        writeln!(
            self.out,
            "{DIM}{}, {}, about {read} tokens read and {written} written{DIM:#}",
            counted(steps, "model call"),
            counted(tools, "tool call"),
        )
    }

    /// Shows why the turn ended without a reply.
    pub(crate) fn fails(&mut self, complaint: &str) -> io::Result<()> {
        self.enter(Block::Frame)?;
        writeln!(self.out, "{RED}{}{RED:#}", plain::visible(complaint))
    }

    fn text(&mut self, delta: &str) -> io::Result<()> {
        self.enter(Block::Text)?;
        write!(self.out, "{}", readable(delta))
    }

    fn tool_starts(&mut self, call: &ToolCall) -> io::Result<()> {
        self.tools += 1;
        let arguments = call.arguments.to_wire();
        let members = arguments.as_object().into_iter().flatten();
        let members: Vec<_> = members.map(|(key, value)| format!("{key}: {value}")).collect();
        self.tool("→", &call.name, DIM, &members.join(", "))
    }

    fn tool_ends(&mut self, name: &str, text: &str, is_error: bool) -> io::Result<()> {
        if is_error {
            self.tool("✗", name, RED, text.lines().next().unwrap_or_default())
        } else {
            self.tool("←", name, DIM, &counted(text.lines().count(), "line"))
        }
    }

    fn tool(&mut self, mark: &str, name: &str, style: Style, detail: &str) -> io::Result<()> {
        self.enter(Block::Tools)?;
        let (name, detail) = (plain::visible(name), clipped(detail));
        let gap = if detail.is_empty() { "" } else { "  " };
        writeln!(self.out, "  {mark} {name}{gap}{style}{detail}{style:#}")
    }

    fn remark(&mut self, message: &str) -> io::Result<()> {
        self.enter(Block::Tools)?;
        writeln!(self.out, "  {RED}! {}{RED:#}", plain::visible(message))
    }

    /// Begins a block, unless what was written last belongs to the same.
    fn enter(&mut self, block: Block) -> io::Result<()> {
        let last = mem::replace(&mut self.block, block);
        if last == block {
            return Ok(());
        }
        let space = if last == Block::Text { "\n\n" } else { "\n" };
        self.out.write_all(space.as_bytes())
    }
}

/// Returns a text without the control characters that would move the cursor or change colours.
pub(crate) fn readable(text: &str) -> String {
    let may_stay = |c: &char| !c.is_control() || matches!(c, '\n' | '\t');
    text.chars().filter(may_stay).collect()
}

/// Returns the beginning of a text, on one line.
fn clipped(text: &str) -> String {
    let text = plain::visible(text);
    match text.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}

fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
