//! Puts a reply together from the pieces of a stream.

use std::sync::Arc;

use crate::{
    Arguments, ArgumentsSoFar, Event, Events, Message, Origin, Part, Provenance, Reasoning, Reply,
    Role, StopReason, Text, ToolCall, Usage,
};

/// Puts a reply together from the pieces of a stream, and emits each piece as an event.
///
/// Every model uses it, so a streamed reply and a plain one are the same.
///
/// ```
/// use brute_core::{Events, StopReason, models::ReplyBuilder};
///
/// let mut builder = ReplyBuilder::new(Events::default());
/// builder.text("Hel");
/// builder.text("lo.");
/// assert_eq!(builder.finish(StopReason::EndTurn).answer(), "Hello.");
/// ```
#[derive(Debug)]
pub struct ReplyBuilder {
    events: Events,
    drafts: Vec<Draft>,
    usage: Usage,
    settled: Option<(Vec<Part>, Provenance)>,
}

#[derive(Debug)]
enum Draft {
    Text(String),
    Reasoning(String),
    Call { id: Arc<str>, name: Arc<str>, arguments: ArgumentsSoFar },
    Whole(Part),
}

impl ReplyBuilder {
    /// Starts an empty reply.
    pub fn new(events: Events) -> Self {
        Self { events, drafts: Vec::new(), usage: Usage::default(), settled: None }
    }

    /// Adds a piece of text.
    pub fn text(&mut self, delta: &str) {
        match self.drafts.last_mut() {
            Some(Draft::Text(text)) => text.push_str(delta),
            _ => self.drafts.push(Draft::Text(delta.to_owned())),
        }
        if !delta.is_empty() {
            self.events.emit(|| Event::Text { delta: delta.into() });
        }
    }

    /// Adds a piece of reasoning.
    pub fn reasoning(&mut self, delta: &str) {
        match self.drafts.last_mut() {
            Some(Draft::Reasoning(text)) => text.push_str(delta),
            _ => self.drafts.push(Draft::Reasoning(delta.to_owned())),
        }
        if !delta.is_empty() {
            self.events.emit(|| Event::Reasoning { delta: delta.into() });
        }
    }

    /// Begins a tool call.
    pub fn call(&mut self, id: impl Into<Arc<str>>, name: impl Into<Arc<str>>) {
        self.drafts.push(Draft::Call {
            id: id.into(),
            name: name.into(),
            arguments: ArgumentsSoFar::default(),
        });
    }

    /// Adds a piece of the arguments of a call that began; other calls may be open beside it.
    pub fn arguments(&mut self, call_id: &str, delta: &str) {
        let is_meant =
            |draft: &&mut Draft| matches!(draft, Draft::Call { id, .. } if **id == *call_id);
        let Some(Draft::Call { id, name, arguments }) = self.drafts.iter_mut().rev().find(is_meant)
        else {
            return;
        };
        arguments.push(delta);
        self.events.emit(|| Event::ToolArguments {
            call_id: id.clone(),
            name: name.clone(),
            delta: delta.into(),
            so_far: arguments.clone(),
        });
    }

    /// Adds a part that is whole already.
    pub fn part(&mut self, part: Part) {
        self.drafts.push(Draft::Whole(part));
    }

    /// Sets what the call used.
    pub fn usage(&mut self, usage: Usage) {
        self.usage = usage;
    }

    /// Puts the parts as the provider stated them at its end in place of the pieces, which were
    /// only streamed, and says where they came from.
    pub fn settle(&mut self, parts: Vec<Part>, provenance: Provenance) {
        self.settled = Some((parts, provenance));
    }

    /// Finishes the reply.
    pub fn finish(self, stop: StopReason) -> Reply {
        let mut message = if let Some((parts, provenance)) = self.settled {
            let provenance = Some(Arc::new(provenance.seal(&parts)));
            Message { provenance, ..Message::new(Role::Assistant, parts) }
        } else {
            let parts = self.drafts.into_iter().map(Draft::into_part).collect();
            Message::new(Role::Assistant, parts)
        };
        message.usage = Some(self.usage);
        message.stop = Some(stop);
        Reply { usage: self.usage, ..Reply::new(message, stop) }
    }
}

impl Draft {
    fn into_part(self) -> Part {
        match self {
            Self::Text(text) => {
                Part::Text(Text { text: text.into(), origin: Origin::Authored, native: None })
            }
            Self::Reasoning(text) => Part::Reasoning(Reasoning { text: text.into(), native: None }),
            Self::Call { id, name, arguments } => {
                Part::ToolCall(ToolCall::new(id, name, Arguments::parse(&arguments.text())))
            }
            Self::Whole(part) => part,
        }
    }
}
