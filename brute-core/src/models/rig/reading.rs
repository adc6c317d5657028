//! Turns what a stream says into events, as it comes.

use std::{collections::BTreeMap, sync::Arc};

use rig_core::{
    message::AssistantContent,
    streaming::{PartKind, StreamEvent},
};

use super::call_ids::CallIds;
use crate::models::ReplyBuilder;

/// Follows a stream from piece to piece.
pub(super) struct Reading<'a> {
    ids: &'a CallIds,
    open: BTreeMap<usize, Open>,
}

/// A tool call that is not whole yet.
enum Open {
    Named(Arc<str>),
    /// The provider names it at its end, if at all.
    Nameless(String),
}

impl<'a> Reading<'a> {
    pub(super) fn new(ids: &'a CallIds) -> Self {
        Self { ids, open: BTreeMap::new() }
    }

    pub(super) fn take(&mut self, event: StreamEvent, builder: &mut ReplyBuilder) {
        let at = event.part().index();
        match event {
            StreamEvent::Text { text, .. } => builder.text(&text),
            StreamEvent::Reasoning { text, .. } => builder.reasoning(&text),
            StreamEvent::Start { kind: PartKind::ToolCall, name, .. } => {
                self.begin(at, name.as_deref().unwrap_or_default(), builder);
            }
            StreamEvent::Arguments { json, .. } => self.go_on(at, &json, builder),
            StreamEvent::End { content, .. } => self.end(at, &content, builder),
            StreamEvent::Start { .. } => {}
        }
    }

    fn begin(&mut self, at: usize, name: &str, builder: &mut ReplyBuilder) {
        let open = match self.ids.next() {
            Some(id) => {
                let id: Arc<str> = id.into();
                builder.call(id.clone(), name);
                Open::Named(id)
            }
            None => Open::Nameless(String::new()),
        };
        self.open.insert(at, open);
    }

    fn go_on(&mut self, at: usize, json: &str, builder: &mut ReplyBuilder) {
        match self.open.get_mut(&at) {
            Some(Open::Named(id)) => builder.arguments(id, json),
            Some(Open::Nameless(arguments)) => arguments.push_str(json),
            None => {}
        }
    }

    fn end(&mut self, at: usize, content: &AssistantContent, builder: &mut ReplyBuilder) {
        let open = self.open.remove(&at);
        let (Some(Open::Nameless(arguments)), AssistantContent::ToolCall(call)) = (open, content)
        else {
            return;
        };
        let id = call.id.to_string();
        builder.call(id.as_str(), call.function.name.as_str());
        if arguments.is_empty() {
            builder.arguments(&id, &call.function.arguments_value().to_string());
        } else {
            builder.arguments(&id, &arguments);
        }
    }
}
