//! A prompt in blocks, for providers that take marks of what to cache.

use serde::{Deserialize, Serialize};

use crate::{Rendered, Section, Zone, rendered::GAP};

/// The sections of one zone as one text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// How long the text holds.
    pub zone: Zone,
    /// The text; that of all blocks, one behind the other, is that of the prompt.
    pub text: String,
}

impl Block {
    /// Returns true where a mark at the end of the block pays: all up to there holds for longer
    /// than one call.
    pub fn is_cacheable(&self) -> bool {
        self.zone != Zone::Dynamic
    }
}

impl Rendered {
    /// Returns the prompt as one block a zone: three at most, of which two can be marked. So with
    /// the four marks that providers take, two are left for tools and history.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{PromptContext, SystemPrompt};
    ///
    /// let ctx = PromptContext { cwd: Some("/srv".into()), ..PromptContext::default() };
    /// let rendered = SystemPrompt::default().prepare(&ctx)?;
    /// let blocks = rendered.blocks();
    /// assert_eq!(blocks.len(), 2);
    /// assert_eq!(blocks.iter().map(|block| block.text.as_str()).collect::<String>(), rendered.text());
    /// # Ok::<(), brute_prompts::PromptError>(())
    /// ```
    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks: Vec<Block> = Vec::new();
        for sections in self.sections().chunk_by(|one, other| one.zone == other.zone) {
            let gap = if blocks.is_empty() { "" } else { GAP };
            let text = format!("{gap}{}", joined(sections));
            blocks.push(Block { zone: sections[0].zone, text });
        }
        blocks
    }

    /// Returns the sections that hold for longer than one call.
    pub fn stable(&self) -> &[Section] {
        &self.sections()[..self.begin_of(Zone::Dynamic)]
    }

    /// Returns the sections that may change with each call.
    pub fn dynamic(&self) -> &[Section] {
        &self.sections()[self.begin_of(Zone::Dynamic)..]
    }

    /// Returns a key for all that holds for longer than one call: equal bytes, equal key, in any
    /// process.
    pub fn cache_key(&self) -> String {
        format!("{:016x}", fnv(joined(self.stable()).as_bytes()))
    }

    /// Returns the prompt with a line of its own between what is stable and what is dynamic, for
    /// hosts that pass prompts on as text. Without dynamic sections the line stands at the end.
    pub fn text_with_boundary(&self, marker: &str) -> String {
        let stable = joined(self.stable());
        format!("{stable}\n{marker}\n{}", joined(self.dynamic()))
    }

    /// Splits the prompt: in front what holds for longer than the zone, behind that the rest, to
    /// be put somewhere else, such as in front of the first message of the user.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{PromptContext, SystemPrompt, Zone};
    ///
    /// let of = |cwd: &str| {
    ///     let ctx = PromptContext { cwd: Some(cwd.into()), ..PromptContext::default() };
    ///     SystemPrompt::default().prepare(&ctx).map(|rendered| rendered.split_at(Zone::Session))
    /// };
    /// let ((one, moved), (other, _)) = (of("/srv/one")?, of("/srv/two")?);
    /// assert_eq!(one.text(), other.text());
    /// assert!(moved.text().contains("/srv/one"));
    /// # Ok::<(), brute_prompts::PromptError>(())
    /// ```
    pub fn split_at(&self, zone: Zone) -> (Self, Self) {
        let (front, rest) = self.sections().split_at(self.begin_of(zone));
        (self.with_sections(front.to_vec()), self.with_sections(rest.to_vec()))
    }

    /// Splits the prompt into the sections for which this holds and the others, each in order.
    pub(crate) fn partition(&self, holds: impl Fn(&Section) -> bool) -> (Self, Self) {
        let (held, others) = self.sections().iter().cloned().partition(|section| holds(section));
        (self.with_sections(held), self.with_sections(others))
    }

    /// Returns where the sections of the zone, or of those behind it, begin.
    fn begin_of(&self, zone: Zone) -> usize {
        self.sections().partition_point(|section| section.zone < zone)
    }
}

/// Splits a text at the first line that is the marker, into what stands in front of it and behind
/// it; a text without such a line has nothing behind it.
///
/// # Example
///
/// ```
/// use brute_prompts::split_at_boundary;
///
/// let marker = "<!-- boundary -->";
/// assert_eq!(split_at_boundary("a\n<!-- boundary -->\n\nb", marker), ("a", Some("b")));
/// assert_eq!(split_at_boundary("a b", marker), ("a b", None));
/// ```
pub fn split_at_boundary<'a>(text: &'a str, marker: &str) -> (&'a str, Option<&'a str>) {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim() == marker {
            let (front, behind) = (&text[..at], &text[at + line.len()..]);
            return (front.trim_end(), Some(behind.trim_start()));
        }
        at += line.len();
    }
    (text, None)
}

/// Returns the 64-bit FNV-1a hash, which is the same everywhere.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn joined(sections: &[Section]) -> String {
    let mut text = String::new();
    for section in sections {
        if !text.is_empty() {
            text.push_str(GAP);
        }
        text.push_str(&section.text);
    }
    text
}
