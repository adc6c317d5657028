//! Turns a log into messages of rig.

use std::{collections::HashMap, sync::Arc};

use rig_core::message::{
    AssistantContent, AssistantMessage, CallId, Document, DocumentMediaType, DocumentSourceKind,
    Image, ImageMediaType, Message as RigMessage, MimeType, Opaque, Origin, Reasoning as Thought,
    Text, ToolCall as RigCall, ToolFunction, ToolName, ToolResultContent, UserContent,
};
use serde_json::{Value, json};

use super::{connect::Habits, request};
use crate::{
    Error, ErrorKind, Log, Media, MediaSource, Message, Part, Provenance, Role, ToolCall,
    ToolResult, Zone,
};

/// What a log becomes.
#[derive(Default)]
pub(super) struct History {
    pub(super) messages: Vec<RigMessage>,
    /// The blocks of the system prompt that end a zone which stays.
    pub(super) edges: Vec<usize>,
    /// How many blocks at the end are for this request only.
    pub(super) passing: usize,
    calls: HashMap<Arc<str>, (CallId, ToolName)>,
}

impl History {
    pub(super) fn of(log: &Log, habits: &Habits) -> Result<Self, Error> {
        let mut history = Self::default();
        for message in log.iter() {
            history.add(message, habits)?;
        }
        history.passing = passing(log);
        Ok(history)
    }

    fn add(&mut self, message: &Message, habits: &Habits) -> Result<(), Error> {
        match message.role {
            Role::System if habits.zones && self.messages.is_empty() => self.add_zones(message),
            Role::System => self.add_system(message),
            Role::Developer if habits.late_system => self.add_system(message),
            Role::Developer | Role::User | Role::Tool => return self.add_user(message),
            Role::Assistant => return self.add_assistant(message, habits),
        }
        Ok(())
    }

    fn add_system(&mut self, message: &Message) {
        let text = message.text();
        if !text.trim().is_empty() {
            self.messages.push(RigMessage::system(text));
        }
    }

    /// Makes one block of each zone, and remembers where the zones that stay end.
    fn add_zones(&mut self, message: &Message) {
        let mut zones: Vec<(Zone, String)> = Vec::new();
        for part in &message.parts {
            let (zone, text) = match part {
                Part::Section(section) => (section.zone, &section.text),
                Part::Text(text) => (Zone::Session, &text.text),
                _ => continue,
            };
            match zones.last_mut() {
                _ if text.trim().is_empty() => {}
                Some((last, block)) if *last == zone => {
                    block.push_str("\n\n");
                    block.push_str(text);
                }
                _ => zones.push((zone, text.to_string())),
            }
        }
        let last = |zone| zones.iter().rposition(|(own, _)| *own == zone);
        self.edges = [last(Zone::Static), last(Zone::Session)].into_iter().flatten().collect();
        self.messages.extend(zones.into_iter().map(|(_, text)| RigMessage::system(text)));
    }

    fn add_user(&mut self, message: &Message) -> Result<(), Error> {
        let mut content = Vec::with_capacity(message.parts.len());
        for part in &message.parts {
            content.extend(self.user_content(part)?);
        }
        if !content.is_empty() {
            self.messages.push(RigMessage::User { content });
        }
        Ok(())
    }

    fn user_content(&self, part: &Part) -> Result<Option<UserContent>, Error> {
        Ok(match part {
            Part::Text(text) => said(&text.text),
            Part::Section(section) => said(&section.text),
            Part::Media(media) => Some(medium(media)?),
            Part::ToolResult(result) => Some(self.result(result)?),
            Part::Reasoning(_) | Part::ToolCall(_) | Part::Provider { .. } => None,
        })
    }

    fn result(&self, result: &ToolResult) -> Result<UserContent, Error> {
        let known = self.calls.get(&result.call_id).cloned();
        let (call, name) = match known {
            Some(known) => known,
            None => (CallId::from_wire(&*result.call_id), request::name("unknown")?),
        };
        let mut content = vec![ToolResultContent::text(&*result.text)];
        for media in &result.media {
            match medium(media)? {
                UserContent::Image(image) => content.push(ToolResultContent::Image(image)),
                _ => return Err(unsendable(media)),
            }
        }
        let is_error = result.is_error;
        Ok(UserContent::ToolResult(rig_core::message::ToolResult { call, name, content, is_error }))
    }

    fn add_assistant(&mut self, message: &Message, habits: &Habits) -> Result<(), Error> {
        let provenance = message.provenance.as_deref();
        let own = provenance.filter(|from| {
            from.api.as_ref() == habits.api && from.provider.as_ref() == habits.provider
        });
        let mut content = Vec::with_capacity(message.parts.len());
        for part in &message.parts {
            content.extend(self.assistant_content(part, own)?);
        }
        if !content.is_empty() {
            let said = AssistantMessage::new(content).with_origin(own.map(origin));
            self.messages.push(RigMessage::Assistant(said));
        }
        Ok(())
    }

    /// Returns what the model said; what only its provider understands goes back to that one only,
    /// and only if nobody changed what it stands for.
    fn assistant_content(
        &mut self,
        part: &Part,
        own: Option<&Provenance>,
    ) -> Result<Option<AssistantContent>, Error> {
        let is_current = own.is_some_and(|own| own.holds(part));
        let native = |native: &Option<Arc<Value>>| native.clone().filter(|_| is_current);
        Ok(match part {
            Part::Text(text) => {
                let said = AssistantContent::Text(Text::new(&*text.text));
                let native = native(&text.native);
                let is_blank = text.text.trim().is_empty() && native.is_none();
                (!is_blank).then(|| with_native(said, native.as_deref()))
            }
            Part::Reasoning(reasoning) => native(&reasoning.native).map(|native| {
                let thought = Thought::new(&*reasoning.text);
                with_native(AssistantContent::Reasoning(thought), Some(&native))
            }),
            Part::ToolCall(call) => Some(self.call(call, native(&call.native).as_deref())?),
            Part::Provider { native } if is_current => {
                let item = (**native).clone();
                Some(AssistantContent::Opaque(Opaque { item, replay: true }))
            }
            Part::Media(media) => image(media).map(AssistantContent::Image),
            Part::Provider { .. } | Part::Section(_) | Part::ToolResult(_) => None,
        })
    }

    fn call(&mut self, call: &ToolCall, native: Option<&Value>) -> Result<AssistantContent, Error> {
        let (id, name) = (call_id(&call.id, native), request::name(&call.name)?);
        self.calls.insert(call.id.clone(), (id.clone(), name.clone()));
        let function = ToolFunction::new(name, call.arguments.to_wire().into_owned());
        Ok(with_native(AssistantContent::ToolCall(RigCall::new(id, function)), native))
    }
}

fn with_native(content: AssistantContent, native: Option<&Value>) -> AssistantContent {
    match native {
        Some(native) => content.with_native(native.clone()),
        None => content,
    }
}

/// Returns the id of a call; one that the provider never said stays between us and rig.
fn call_id(id: &str, native: Option<&Value>) -> CallId {
    let is_ours = native.is_some_and(|native| !says(native, id));
    let ours = is_ours.then(|| serde_json::from_value(json!({ "local": id })).ok()).flatten();
    ours.unwrap_or_else(|| CallId::from_wire(id))
}

fn says(value: &Value, text: &str) -> bool {
    match value {
        Value::String(own) => own == text,
        Value::Array(items) => items.iter().any(|item| says(item, text)),
        Value::Object(members) => members.values().any(|member| says(member, text)),
        _ => false,
    }
}

fn origin(from: &Provenance) -> Origin {
    let mut origin =
        Origin::new(from.api.to_string(), from.provider.to_string(), from.model.to_string());
    let context = from.context.as_deref().map(Value::from);
    origin.context = context.and_then(|context| serde_json::from_value(context).ok());
    origin
}

fn said(text: &str) -> Option<UserContent> {
    (!text.trim().is_empty()).then(|| UserContent::text(text))
}

fn medium(media: &Media) -> Result<UserContent, Error> {
    if let Some(image) = image(media) {
        return Ok(UserContent::Image(image));
    }
    let Some(media_type) = DocumentMediaType::from_mime_type(&media.mime) else {
        return Err(unsendable(media));
    };
    let data = source(&media.source);
    let media_type = Some(media_type);
    Ok(UserContent::Document(Document { data, media_type, additional_params: None }))
}

fn image(media: &Media) -> Option<Image> {
    let media_type = Some(ImageMediaType::from_mime_type(&media.mime)?);
    Some(Image { data: source(&media.source), media_type, detail: None, native: None })
}

fn source(source: &MediaSource) -> DocumentSourceKind {
    match source {
        MediaSource::Base64(data) => DocumentSourceKind::base64(&**data),
        MediaSource::Url(url) => DocumentSourceKind::url(&**url),
    }
}

fn unsendable(media: &Media) -> Error {
    let message = format!("a part of the type {:?} cannot be sent to this model here", media.mime);
    Error::new(ErrorKind::Invalid, message)
}

/// Counts the blocks at the end of a log that will not be there in the next request: reminders.
fn passing(log: &Log) -> usize {
    let reminders = log.iter().rev().take_while(|message| message.role == Role::Developer);
    reminders.map(|message| message.parts.len()).sum()
}
