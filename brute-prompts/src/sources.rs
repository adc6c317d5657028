//! Where the bytes of a prompt come from, file by file.

use std::ops::Range;

use serde::Serialize;

use crate::{
    FileStatus, InstructionFile, PromptContext, Rendered, Section, WorkspaceFile, rendered::GAP,
};

/// What a source is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// The words of a section, and what stands between two sections.
    Words,
    /// The list of skills, with the words around it.
    Skills,
    /// A prompt that the user keeps in a file.
    PromptFile,
    /// An instruction file.
    Instructions,
    /// The rules that the host gave.
    Rules,
    /// A file of the workspace.
    Workspace,
    /// The definitions of the tools, which are sent beside the prompt.
    Tools,
}

/// Tells how much of a source stands in the prompt.
///
/// The injected sizes of all sources of a prompt add up to the size of its text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SourceReport {
    /// The file, or `host` for words given in code.
    pub source: String,
    /// What it is.
    pub kind: SourceKind,
    /// The size in bytes before cuts.
    pub raw_bytes: usize,
    /// The size in bytes in the prompt.
    pub injected_bytes: usize,
    /// What became of it.
    pub status: FileStatus,
    /// Where its bytes begin in the text of the prompt; nothing where they are not one piece.
    #[serde(skip)]
    pub at: Option<usize>,
}

impl Rendered {
    /// Returns the sources of the prompt in order; `ctx` is the context that it was rendered for.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{PromptContext, SystemPrompt};
    ///
    /// let ctx = PromptContext { custom_rules: Some("Use tabs.".into()), ..PromptContext::default() };
    /// let rendered = SystemPrompt::default().prepare(&ctx)?;
    /// let sources = rendered.sources(&ctx);
    /// let injected: usize = sources.iter().map(|source| source.injected_bytes).sum();
    /// assert_eq!(injected, rendered.bytes());
    /// # Ok::<(), brute_prompts::PromptError>(())
    /// ```
    pub fn sources(&self, ctx: &PromptContext) -> Vec<SourceReport> {
        let mut sources = Vec::new();
        let mut start = 0;
        for (index, section) in self.iter().enumerate() {
            let gap = if index == 0 { 0 } else { GAP.len() };
            start += gap;
            let files = files(section, start, ctx);
            let injected: usize = files.iter().map(|file| file.injected_bytes).sum();
            let bytes = section.bytes() + gap - injected;
            sources.push(SourceReport {
                source: section.source.to_string(),
                kind: kind(section),
                raw_bytes: bytes,
                injected_bytes: bytes,
                status: FileStatus::Ok,
                at: None,
            });
            sources.extend(files);
            start += section.bytes();
        }
        sources
    }
}

fn kind(section: &Section) -> SourceKind {
    match &*section.name {
        "skills" => SourceKind::Skills,
        "system_prompt" => SourceKind::PromptFile,
        _ => SourceKind::Words,
    }
}

/// Returns the files whose texts stand in the section, which begins at `start`.
fn files(section: &Section, start: usize, ctx: &PromptContext) -> Vec<SourceReport> {
    let mut search = Search::new(&section.text, start);
    match &*section.name {
        "instructions" => {
            let files = ctx.instructions.as_deref().unwrap_or_default().iter();
            let files = files.map(|file| instruction_file(file, &mut search)).collect::<Vec<_>>();
            let rules = ctx.custom_rules.as_deref().filter(|rules| !rules.trim().is_empty());
            files.into_iter().chain(rules.map(|rules| host_rules(rules, &mut search))).collect()
        }
        "workspace_files" | "heartbeat_file" => {
            let is_dynamic = &*section.name == "heartbeat_file";
            let all = ctx.workspace_files.iter().flat_map(|workspace| &workspace.files);
            let own = all.filter(|file| file.is_dynamic() == is_dynamic);
            own.map(|file| workspace_file(file, &mut search)).collect()
        }
        _ => Vec::new(),
    }
}

fn instruction_file(file: &InstructionFile, search: &mut Search<'_>) -> SourceReport {
    let status = if file.truncated { FileStatus::Truncated } else { FileStatus::Ok };
    let (kind, place) = (SourceKind::Instructions, search.place_of(&file.text));
    report(&file.path, kind, file.raw_bytes, place, status)
}

fn host_rules(rules: &str, search: &mut Search<'_>) -> SourceReport {
    let place = search.place_of(rules);
    report("host", SourceKind::Rules, rules.len(), place, FileStatus::Ok)
}

fn workspace_file(file: &WorkspaceFile, search: &mut Search<'_>) -> SourceReport {
    let place = search.place_of(&file.text);
    report(&file.path, SourceKind::Workspace, file.raw_bytes, place, file.status)
}

/// Returns a line of the report; what the words of the section leave out counts as dropped.
fn report(
    source: &str,
    kind: SourceKind,
    raw_bytes: usize,
    place: Option<Range<usize>>,
    status: FileStatus,
) -> SourceReport {
    let status = if place.is_none() { FileStatus::Dropped } else { status };
    let (at, injected_bytes) = place.map_or((None, 0), |place| (Some(place.start), place.len()));
    SourceReport { source: source.to_owned(), kind, raw_bytes, injected_bytes, status, at }
}

/// Finds texts in a section, each behind the one before.
struct Search<'a> {
    left: &'a str,
    at: usize,
}

impl<'a> Search<'a> {
    fn new(text: &'a str, at: usize) -> Self {
        Self { left: text, at }
    }

    /// Returns where the text stands in the prompt, with some of its tags as plain text; nothing
    /// for an empty text and for one that does not stand there.
    fn place_of(&mut self, text: &str) -> Option<Range<usize>> {
        let found = find(self.left, text).filter(|_| !text.is_empty())?;
        let start = self.at + found.start;
        self.at += found.end;
        self.left = &self.left[found.end..];
        Some(start..self.at)
    }
}

/// Finds a text of which any `<` may stand there as `&lt;`.
fn find(section: &str, text: &str) -> Option<Range<usize>> {
    let (head, _) = text.split_once('<').unwrap_or((text, ""));
    let mut from = 0;
    loop {
        let start = from + section[from..].find(head)?;
        if let Some(length) = length_at(&section[start..], text) {
            return Some(start..start + length);
        }
        // The next place may overlap this one.
        from = start + section[start..].chars().next()?.len_utf8();
    }
}

/// Returns how long the text is at the beginning of what is left of a section.
fn length_at(left: &str, text: &str) -> Option<usize> {
    let mut parts = text.split('<');
    let mut rest = left.strip_prefix(parts.next()?)?;
    for part in parts {
        let behind = rest.strip_prefix('<').or_else(|| rest.strip_prefix("&lt;"))?;
        rest = behind.strip_prefix(part)?;
    }
    Some(left.len() - rest.len())
}
