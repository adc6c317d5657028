//! The table: what becomes of which file where.

use brute_prompts::PromptErrorKind as Kind;

use crate::{
    Input::{self, *},
    Outcome::{self, *},
    Surface::{self, *},
};

/// Input, surface, outcome, and the kinds of what is told about it.
type Cell = (Input, Surface, Outcome, &'static str);

/// What a file without an oddity says.
const SOUND: Outcome = Says("one\ntwo");

/// A byte that is not UTF-8 has become a replacement character.
const LOSSY: Outcome = Says("one\ntwo\u{fffd}");

/// The line ends are those of the file.
const KEPT: Outcome = Says("one\r\ntwo");

/// Braces are text, because the file is no template.
const LITERAL: Outcome = Says("one\ntwo {{ gaol }}");

#[rustfmt::skip]
pub(crate) const CELLS: &[Cell] = &[
    (Missing, Words, Omitted, ""),
    (Missing, Instructions, Omitted, ""),
    (Missing, Workspace, Marker, ""),
    (Missing, Skill, NotApplicable, ""),
    (Missing, PromptFile, Next, ""),
    (Missing, Reference, Error(Kind::NotFound), ""),

    (Empty, Words, Omitted, ""),
    (Empty, Instructions, Omitted, "empty"),
    (Empty, Workspace, Omitted, ""),
    (Empty, Skill, Omitted, "frontmatter_missing"),
    (Empty, PromptFile, Next, ""),
    (Empty, Reference, Label, ""),

    (Blank, Words, Omitted, ""),
    (Blank, Instructions, Omitted, ""),
    (Blank, Workspace, Omitted, ""),
    (Blank, Skill, Omitted, "frontmatter_missing"),
    (Blank, PromptFile, Next, ""),
    (Blank, Reference, Label, ""),

    // Words that ship are UTF-8, or the crate does not build; those of an overlay are refused.
    (NotUtf8, Words, Error(Kind::NotUtf8), ""),
    (NotUtf8, Instructions, LOSSY, "not_utf8"),
    (NotUtf8, Workspace, LOSSY, "not_utf8"),
    (NotUtf8, Skill, Omitted, "not_utf8"),
    (NotUtf8, PromptFile, Error(Kind::NotUtf8), ""),
    (NotUtf8, Reference, Error(Kind::NotUtf8), ""),

    (Mark, Words, SOUND, ""),
    (Mark, Instructions, SOUND, ""),
    (Mark, Workspace, SOUND, ""),
    (Mark, Skill, SOUND, ""),
    (Mark, PromptFile, SOUND, ""),
    (Mark, Reference, SOUND, ""),

    // Instruction files have LF, too: two files that differ in line ends alone say the same, and
    // one of them is enough.
    (Crlf, Words, SOUND, ""),
    (Crlf, Instructions, SOUND, ""),
    (Crlf, Workspace, KEPT, ""),
    (Crlf, Skill, SOUND, ""),
    (Crlf, PromptFile, KEPT, ""),
    (Crlf, Reference, KEPT, ""),

    (Folder, Words, Omitted, ""),
    (Folder, Instructions, Omitted, "not_a_file"),
    (Folder, Workspace, Marker, "not_a_file"),
    (Folder, Skill, Omitted, "not_a_file"),
    (Folder, PromptFile, Error(Kind::Io), ""),
    (Folder, Reference, Error(Kind::Io), ""),

    (Denied, Words, Error(Kind::Io), ""),
    (Denied, Instructions, Omitted, "unreadable"),
    (Denied, Workspace, Marker, "unreadable"),
    (Denied, Skill, Omitted, "unreadable"),
    (Denied, PromptFile, Error(Kind::Io), ""),
    (Denied, Reference, Error(Kind::Io), ""),

    // Nobody can follow a link to itself, not even the superuser.
    (LinkLoop, Words, Error(Kind::Io), ""),
    (LinkLoop, Instructions, Omitted, "unreadable"),
    (LinkLoop, Workspace, Marker, "unreadable"),
    (LinkLoop, Skill, Omitted, "link_broken"),
    (LinkLoop, PromptFile, Error(Kind::Io), ""),
    (LinkLoop, Reference, Error(Kind::Io), ""),

    (OverBudget, Words, NotApplicable, ""),
    (OverBudget, Instructions, Cut, "truncated"),
    (OverBudget, Workspace, Cut, "truncated"),
    // The list loses whole entries from its end rather than parts of all of them; shorter forms
    // are an option of the list.
    (OverBudget, Skill, Cut, ""),
    (OverBudget, PromptFile, Whole, ""),
    (OverBudget, Reference, Whole, ""),

    // Of two folders of words that hold a module, the one that was laid last counts.
    (Duplicate, Words, SOUND, ""),
    (Duplicate, Instructions, SOUND, "duplicate"),
    (Duplicate, Workspace, SOUND, ""),
    (Duplicate, Skill, SOUND, "shadowed"),
    (Duplicate, PromptFile, SOUND, ""),
    (Duplicate, Reference, NotApplicable, ""),

    (TemplateError, Words, Error(Kind::Undefined), ""),
    (TemplateError, Instructions, LITERAL, ""),
    (TemplateError, Workspace, LITERAL, ""),
    (TemplateError, Skill, LITERAL, ""),
    (TemplateError, PromptFile, Error(Kind::Undefined), ""),
    (TemplateError, Reference, Error(Kind::Undefined), ""),

    (LinkInside, Words, SOUND, ""),
    (LinkInside, Instructions, SOUND, ""),
    (LinkInside, Workspace, SOUND, ""),
    (LinkInside, Skill, SOUND, ""),
    (LinkInside, PromptFile, SOUND, ""),
    (LinkInside, Reference, SOUND, ""),

    // A skill of a project may come from a stranger, so its links stay in the project; those in
    // the folders of the user are followed anywhere.
    (LinkOutside, Words, SOUND, ""),
    (LinkOutside, Instructions, SOUND, ""),
    (LinkOutside, Workspace, Marker, "outside"),
    (LinkOutside, Skill, Omitted, "link_escape"),
    (LinkOutside, PromptFile, SOUND, ""),
    (LinkOutside, Reference, SOUND, ""),

    (UnknownModel, Words, DefaultStack, ""),
    // Only `AGENTS.md` is read, whatever other files lie beside it.
    (UnknownModel, Instructions, SOUND, ""),
    (UnknownModel, Workspace, NotApplicable, ""),
    (UnknownModel, Skill, NotApplicable, ""),
    (UnknownModel, PromptFile, NotApplicable, ""),
    (UnknownModel, Reference, NotApplicable, ""),
];

/// What becomes of a file where the host is lenient about references, confines them, or trusts the
/// folder of a skill.
#[rustfmt::skip]
pub(crate) const BY_OPTION: &[Cell] = &[
    (Missing, Reference, Says("@prompt.md"), "reference_missing"),
    (LinkInside, Reference, SOUND, ""),
    (LinkOutside, Reference, Error(Kind::Outside), ""),
    (LinkOutside, Skill, SOUND, ""),
];
