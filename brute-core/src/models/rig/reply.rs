//! Turns the response of rig into a reply.

use std::sync::Arc;

use rig_core::{
    completion::{CompletionResponse, FinishReason, Usage as RigUsage},
    message::{AssistantContent, DocumentSourceKind, Image, MimeType, ToolCall as RigCall},
};
use serde_json::Value;

use crate::{
    Arguments, Event, Events, Media, MediaSource, Origin, Part, Provenance, Reasoning, Reply,
    StopReason, Text, ToolCall, Usage, models::ReplyBuilder,
};

pub(super) fn finish(
    mut builder: ReplyBuilder,
    response: CompletionResponse,
    answer_tool: Option<&str>,
    events: &Events,
) -> Reply {
    let stop = stop(&response, events);
    let raw_usage = raw_usage(&response.raw).cloned();
    builder.usage(usage(&response.usage, raw_usage.as_ref()));
    let mut provenance = provenance(&response);
    provenance.usage = raw_usage.map(Arc::new);
    let parts: Vec<_> = response.choice.into_iter().filter_map(part).collect();
    let (parts, stop) = match answer_tool.and_then(|tool| answer(&parts, tool)) {
        Some(answer) => (vec![answer], StopReason::EndTurn),
        None => (parts, stop),
    };
    builder.settle(parts, provenance);
    builder.finish(stop)
}

/// Returns the text that a call of the answer tool stands for.
fn answer(parts: &[Part], tool: &str) -> Option<Part> {
    parts.iter().find_map(|part| match part {
        Part::ToolCall(call) if *call.name == *tool => Some(Part::text(match &call.arguments {
            Arguments::Object(value) => value.to_string(),
            Arguments::Invalid(raw) => raw.to_string(),
        })),
        _ => None,
    })
}

fn part(content: AssistantContent) -> Option<Part> {
    let native = content.native_item().cloned().map(Arc::new);
    Some(match content {
        AssistantContent::Text(text) => {
            let (text, origin) = (text.text.into(), Origin::Authored);
            Part::Text(Text { text, origin, native })
        }
        AssistantContent::Reasoning(reasoning) => {
            Part::Reasoning(Reasoning { text: reasoning.text.into(), native })
        }
        AssistantContent::ToolCall(call) => Part::ToolCall(tool_call(call, native)),
        AssistantContent::Image(image) => Part::Media(media(image)?),
        AssistantContent::Opaque(opaque) if opaque.replay => {
            Part::Provider { native: Arc::new(opaque.item) }
        }
        _ => return None,
    })
}

/// What the model wrote in place of an object is kept as it is; it is never sent back as native.
fn tool_call(call: RigCall, native: Option<Arc<Value>>) -> ToolCall {
    let (id, name) = (call.id.to_string(), String::from(call.function.name));
    let arguments = match call.function.invalid_arguments {
        Some(raw) => Arguments::Invalid(raw.into()),
        None => Arguments::from(Value::Object(call.function.arguments)),
    };
    let native = native.filter(|_| arguments.object().is_some());
    ToolCall { native, ..ToolCall::new(id, name, arguments) }
}

fn media(image: Image) -> Option<Media> {
    let mime = image.media_type.as_ref().map_or("image/png", MimeType::to_mime_type).into();
    let source = match image.data {
        DocumentSourceKind::Base64(data) => MediaSource::Base64(data.into()),
        DocumentSourceKind::Url(url) => MediaSource::Url(url.into()),
        _ => return None,
    };
    Some(Media { mime, source })
}

fn provenance(response: &CompletionResponse) -> Provenance {
    let origin = &response.origin;
    let context = origin.context.and_then(|context| serde_json::to_value(context).ok());
    let mut provenance =
        Provenance::new(origin.api.as_str(), origin.provider.as_str(), origin.model.as_str());
    provenance.context = context.as_ref().and_then(Value::as_str).map(Into::into);
    provenance.response_id = origin.response_id.as_deref().map(Into::into);
    provenance
}

fn stop(response: &CompletionResponse, events: &Events) -> StopReason {
    if let Some(explanation) = &response.error {
        events.emit(|| Event::diagnostic(format!("the provider declined: {explanation}")));
        return StopReason::Refusal;
    }
    match response.finish_reason() {
        Some(FinishReason::Length) => StopReason::MaxTokens,
        Some(FinishReason::ToolCalls) => StopReason::ToolCalls,
        Some(FinishReason::ContentFilter) => StopReason::Refusal,
        _ if response.tool_calls().next().is_some() => StopReason::ToolCalls,
        Some(FinishReason::Other(reason)) => {
            let message = format!("the model stopped for a reason that is not known: {reason}");
            events.emit(|| Event::diagnostic(message));
            StopReason::EndTurn
        }
        _ if response.raw["stop_sequence"].is_string() => StopReason::StopSequence,
        _ => StopReason::EndTurn,
    }
}

/// Finds the provider's own report of what the call used.
fn raw_usage(raw: &Value) -> Option<&Value> {
    ["usage", "usageMetadata"]
        .into_iter()
        .find_map(|name| raw.get(name))
        .filter(|usage| !usage.is_null())
}

/// Counts what the call used; rig counts the cache as part of the input, we beside it.
fn usage(usage: &RigUsage, raw: Option<&Value>) -> Usage {
    let cache_read = usage.cached_input_tokens.unwrap_or(0);
    let cache_write = usage.cache_creation_input_tokens.unwrap_or(0);
    let hour = raw.and_then(|raw| raw["cache_creation"]["ephemeral_1h_input_tokens"].as_u64());
    let input = usage.input_tokens.unwrap_or(0);
    Usage {
        input: input.saturating_sub(cache_read).saturating_sub(cache_write),
        output: usage.output_tokens.unwrap_or(0),
        cache_read,
        cache_write,
        cache_write_1h: hour.unwrap_or(0).min(cache_write),
        reasoning: usage.reasoning_tokens.unwrap_or(0),
    }
}
