//! A request or a reply as a document for people: every section and part, with its size.

use std::fmt::Write;

use brute_core::{
    Log, Media, MediaSource, Message, Origin, Part, Reply, Section, ToolResult, Toolbox, Turn, Zone,
};
use brute_prompts::{estimated_tokens, plain};
use serde_json::Value;

use super::fence::fenced;
use crate::Secrets;

/// Returns what a model is sent with a turn, as Markdown: the system prompt section by section, the
/// messages part by part, and the tools on offer. Secrets are replaced.
pub fn prompt_document(turn: &Turn, secrets: &Secrets) -> String {
    let mut document = Document { text: "# Prompt\n\n".into(), secrets };
    document.head(turn);
    document.messages(&turn.log);
    document.tools(&turn.tools);
    document.finish()
}

/// Returns what a model answered, as Markdown. Secrets are replaced.
pub fn reply_document(reply: &Reply, secrets: &Secrets) -> String {
    let mut document = Document { text: "# Reply\n\n".into(), secrets };
    let usage = &reply.usage;
    document.line("Stop", &format!("{:?}", reply.stop));
    document.line("Tokens", &format!("{} in all, {} written", usage.total(), usage.output));
    document.messages(&reply.added.iter().cloned().collect());
    document.finish()
}

/// A document while it is written.
struct Document<'a> {
    text: String,
    secrets: &'a Secrets,
}

impl Document<'_> {
    fn head(&mut self, turn: &Turn) {
        let (provider, model) = (turn.model.provider(), turn.model.model());
        let names: Vec<_> = [provider, model].into_iter().filter(|name| !name.is_empty()).collect();
        if !names.is_empty() {
            self.line("Model", &names.join("/"));
        }
        if turn.facts.step > 0 {
            self.line("Step", &turn.facts.step.to_string());
        }
        let size: usize = turn.log.iter().flat_map(|message| &message.parts).map(tokens).sum();
        self.line("Messages", &format!("{}, ~{size} tokens", turn.log.len()));
        self.line("Settings", &settings(turn));
    }

    fn messages(&mut self, log: &Log) {
        for (index, message) in log.iter().enumerate() {
            self.heading(2, &title(index + 1, message));
            message.parts.iter().for_each(|part| self.part(part));
        }
    }

    fn part(&mut self, part: &Part) {
        match part {
            Part::Section(section) => self.section(section),
            Part::Text(text) if text.origin == Origin::Generated => {
                self.block("Text, generated", "text", &text.text);
            }
            Part::Text(text) => self.block("Text", "text", &text.text),
            Part::Media(media) => self.media(media),
            Part::Reasoning(reasoning) => self.block("Reasoning", "text", &reasoning.text),
            Part::ToolCall(call) => {
                let title = format!("Tool call {}, {}", call.name, call.id);
                self.json(&title, &call.arguments.to_wire());
            }
            Part::ToolResult(result) => self.result(result),
            Part::Provider { native } => self.json("Part of the provider", native),
        }
    }

    fn section(&mut self, section: &Section) {
        let zone = match section.zone {
            Zone::Static => "static",
            Zone::Session => "session",
            Zone::Dynamic => "dynamic",
        };
        let (bytes, tokens) = (section.text.len(), estimated_tokens(&section.text));
        self.heading(3, &section.name);
        let _ = write!(self.text, "{zone}, {bytes} bytes, ~{tokens} tokens\n\n");
        self.text(&section.text);
    }

    fn result(&mut self, result: &ToolResult) {
        let state = if result.is_error { ", failed" } else { "" };
        let cut = if result.truncated { ", cut" } else { "" };
        self.block(&format!("Tool result, {}{state}{cut}", result.call_id), "text", &result.text);
        result.media.iter().for_each(|media| self.media(media));
    }

    fn media(&mut self, media: &Media) {
        self.heading(3, &format!("Media, {}", media.mime));
        match &media.source {
            MediaSource::Base64(data) => {
                let _ = write!(self.text, "{} bytes in base64\n\n", data.len());
            }
            MediaSource::Url(address) => self.text(address),
        }
    }

    fn tools(&mut self, tools: &Toolbox) {
        if !tools.is_empty() {
            self.heading(2, "Tools");
        }
        for spec in tools.specs() {
            self.block(&spec.name, "text", &spec.description);
            self.data(&spec.parameters);
        }
    }

    fn line(&mut self, name: &str, value: &str) {
        let value = self.secrets.redact(value);
        let _ = writeln!(self.text, "- {name}: {}", plain::visible(&value));
    }

    fn heading(&mut self, level: usize, title: &str) {
        let title = self.secrets.redact(title);
        let gap = if self.text.ends_with("\n\n") { "" } else { "\n" };
        let _ = write!(self.text, "{gap}{} {}\n\n", "#".repeat(level), plain::visible(&title));
    }

    fn block(&mut self, title: &str, kind: &str, text: &str) {
        self.heading(3, title);
        self.fenced(kind, text);
    }

    fn text(&mut self, text: &str) {
        self.fenced("text", text);
    }

    fn json(&mut self, title: &str, value: &Value) {
        self.heading(3, title);
        self.data(value);
    }

    /// Writes a value; its secrets go before JSON can hide them behind escapes.
    fn data(&mut self, value: &Value) {
        let mut value = value.clone();
        self.secrets.redact_value(&mut value);
        self.fenced("json", &format!("{value:#}"));
    }

    fn fenced(&mut self, kind: &str, text: &str) {
        self.text.push_str(&fenced(kind, &self.secrets.redact(text)));
        self.text.push('\n');
    }

    /// Returns the text; what stands together only now is looked through once more.
    fn finish(self) -> String {
        format!("{}\n", self.secrets.redact(self.text.trim_end()))
    }
}

fn title(number: usize, message: &Message) -> String {
    let role = format!("{:?}", message.role).to_lowercase();
    format!("Message {number}: {role}")
}

/// Returns the estimated size of a part; nothing for pictures and for what only a provider knows.
fn tokens(part: &Part) -> usize {
    match part {
        Part::Text(text) => estimated_tokens(&text.text),
        Part::Section(section) => estimated_tokens(&section.text),
        Part::Reasoning(reasoning) => estimated_tokens(&reasoning.text),
        Part::ToolCall(call) => estimated_tokens(&call.arguments.to_wire().to_string()),
        Part::ToolResult(result) => estimated_tokens(&result.text),
        Part::Media(_) | Part::Provider { .. } => 0,
    }
}

/// Returns what the caller asked of the model, and nothing about what was left to it.
fn settings(turn: &Turn) -> String {
    let settings = &turn.settings;
    let asked = [
        settings.temperature.map(|it| format!("temperature {it}")),
        settings.top_p.map(|it| format!("top_p {it}")),
        settings.max_output_tokens.map(|it| format!("at most {it} tokens")),
        settings.reasoning.map(|it| format!("reasoning {it:?}").to_lowercase()),
        (settings.tool_choice != brute_core::ToolChoice::Auto)
            .then(|| format!("tool choice {:?}", settings.tool_choice).to_lowercase()),
        (!settings.stop_sequences.is_empty())
            .then(|| format!("stops at {:?}", settings.stop_sequences)),
        settings.response_schema.as_ref().map(|it| format!("reply fits {it}")),
        settings.extra.as_ref().map(|it| format!("extra {it}")),
    ];
    let asked: Vec<_> = asked.into_iter().flatten().collect();
    if asked.is_empty() { "none".into() } else { asked.join("; ") }
}
