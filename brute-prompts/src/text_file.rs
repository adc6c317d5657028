//! One text of one module, and what it rendered to for the tools seen lately.

use std::{
    ops::Range,
    sync::{Arc, PoisonError, RwLock},
};

use minijinja::{OutputSpan, OutputSpanKind};

use crate::{ToolNames, Zone, plain, tidy::tidy, trim::trim};

/// For how many sets of tools a text is kept.
const MAX_KEPT: usize = 16;

/// What a module said, where the words come from, and how long they hold.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    pub(crate) text: Arc<str>,
    pub(crate) source: Arc<str>,
    pub(crate) zone: Zone,
}

/// A text with its containers and its cache.
pub(crate) struct TextFile {
    pub(crate) label: Arc<str>,
    containers: Vec<String>,
    kept: RwLock<Vec<Kept>>,
}

/// A rendered text is a function of the tools alone, once it was seen to look at nothing else.
struct Kept {
    tools: ToolNames,
    text: Option<Arc<str>>,
}

impl TextFile {
    pub(crate) fn new(label: &Arc<str>, source: &str) -> Self {
        let containers = closing_tags(source);
        Self { label: label.clone(), containers, kept: RwLock::default() }
    }

    /// Returns what the text rendered to with these tools, if that is known.
    #[expect(clippy::option_option, reason = "the text that is known may be that there is none")]
    pub(crate) fn kept(&self, tools: &ToolNames) -> Option<Option<Arc<str>>> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|kept| kept.tools == *tools).map(|kept| kept.text.clone())
    }

    /// Keeps what the text rendered to with these tools; the oldest makes room.
    pub(crate) fn keep(&self, tools: &ToolNames, text: Option<Arc<str>>) {
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if kept.iter().any(|kept| kept.tools == *tools) {
            return;
        }
        if kept.len() == MAX_KEPT {
            kept.remove(0);
        }
        kept.push(Kept { tools: tools.clone(), text });
    }

    pub(crate) fn words(&self, text: Arc<str>, zone: Zone) -> Words {
        Words { text, source: self.label.clone(), zone }
    }

    /// Returns the output with its values kept inside their containers, tidied and trimmed.
    pub(crate) fn finish(&self, output: &str, spans: &[OutputSpan]) -> Option<String> {
        let (text, values) = self.contain(output, spans);
        let text = tidy(&text, &values)?;
        let text = trim(&text);
        (!text.is_empty()).then(|| text.to_owned())
    }

    /// Returns the output with tags in values neutralised, and where the values stand.
    fn contain(&self, output: &str, spans: &[OutputSpan]) -> (String, Vec<Range<usize>>) {
        let mut text = String::with_capacity(output.len());
        let (mut values, mut copied) = (Vec::new(), 0);
        for span in spans.iter().filter(|span| span.kind() == OutputSpanKind::Expression) {
            let range = span.output_range();
            text.push_str(&output[copied..range.start]);
            copied = range.end;
            let start = text.len();
            text.push_str(&plain::contained(&output[range], &self.containers));
            values.push(start..text.len());
        }
        text.push_str(&output[copied..]);
        (text, values)
    }
}

/// Returns the names of the tags that the text closes.
fn closing_tags(source: &str) -> Vec<String> {
    let names = source.split("</").skip(1).filter_map(|rest| rest.split_once('>'));
    let mut names: Vec<String> = names.map(|(name, _)| name.trim().to_owned()).collect();
    names.sort();
    names.dedup();
    names
}
