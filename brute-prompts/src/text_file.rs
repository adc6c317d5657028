//! One text of one module, and what it rendered to for the tools seen lately.

use std::{
    ops::Range,
    sync::{Arc, PoisonError, RwLock},
};

use minijinja::{OutputSpan, OutputSpanKind};

use crate::{PromptContext, Zone, plain, tidy::tidy, trim::trim, variables::Looks};

/// For how many contexts a text is kept.
const MAX_KEPT: usize = 8;

/// What a module said, where the words come from, and how long they hold.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    pub(crate) text: Arc<str>,
    pub(crate) source: Arc<str>,
    pub(crate) zone: Zone,
}

/// What a module said, or that it had nothing to say.
pub(crate) type Outcome = Option<Words>;

/// A text with its containers and its cache.
pub(crate) struct TextFile {
    pub(crate) label: Arc<str>,
    containers: Vec<String>,
    kept: RwLock<Vec<Kept>>,
}

/// What the text rendered to, for every context that agrees on what it looked at.
struct Kept {
    looks: Looks,
    seen: PromptContext,
    text: Option<Arc<str>>,
}

impl TextFile {
    /// Returns a text in which values cannot close the tags named in `containers`.
    pub(crate) fn new(label: &Arc<str>, containers: Vec<String>) -> Self {
        Self { label: label.clone(), containers, kept: RwLock::default() }
    }

    /// Returns what the text rendered to for a context like this, if that is known.
    pub(crate) fn kept(&self, ctx: &PromptContext) -> Option<Outcome> {
        let kept = self.kept.read().unwrap_or_else(PoisonError::into_inner);
        let kept = kept.iter().find(|kept| kept.looks.agree(&kept.seen, ctx))?;
        Some(self.outcome(kept.text.clone(), kept.looks))
    }

    /// Keeps what the text rendered to; the oldest makes room.
    pub(crate) fn keep(
        &self,
        ctx: &PromptContext,
        looks: Looks,
        text: Option<Arc<str>>,
    ) -> Outcome {
        let entry = Kept { looks, seen: looks.only(ctx), text: text.clone() };
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == MAX_KEPT {
            kept.remove(0);
        }
        kept.push(entry);
        self.outcome(text, looks)
    }

    fn outcome(&self, text: Option<Arc<str>>, looks: Looks) -> Outcome {
        text.map(|text| Words { text, source: self.label.clone(), zone: looks.zone() })
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
        for range in values_in(spans) {
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

/// Returns where the values stand, those without text between them as one.
fn values_in(spans: &[OutputSpan]) -> Vec<Range<usize>> {
    let mut values: Vec<Range<usize>> = Vec::new();
    for span in spans.iter().filter(|span| span.kind() == OutputSpanKind::Expression) {
        let range = span.output_range();
        match values.last_mut().filter(|last| last.end == range.start) {
            Some(last) => last.end = range.end,
            None => values.push(range),
        }
    }
    values
}
