//! Which family of models a provider and a model belong to.

use std::{borrow::Cow, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{PromptError, PromptErrorKind};

/// The longest name that a family may have.
const MAX_NAME: usize = 64;

/// Names a family of models that share a stack and a dialect.
///
/// # Example
///
/// ```
/// use brute_prompts::Family;
///
/// assert_eq!(Family::infer("openrouter", "anthropic/claude-sonnet"), Family::ANTHROPIC);
/// assert_eq!(Family::infer("openrouter", "something-new"), Family::DEFAULT);
/// let own: Family = "mistral".parse()?;
/// assert_eq!(own.name(), "mistral");
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Family(Cow<'static, str>);

impl Family {
    /// Claude and models that are prompted like it.
    pub const ANTHROPIC: Self = Self(Cow::Borrowed("anthropic"));
    /// GPT, Codex and the short reasoning names.
    pub const OPENAI: Self = Self(Cow::Borrowed("openai"));
    /// Gemini and Gemma.
    pub const GOOGLE: Self = Self(Cow::Borrowed("google"));
    /// Small local models.
    pub const OLLAMA: Self = Self(Cow::Borrowed("ollama"));
    /// Every other model.
    pub const DEFAULT: Self = Self(Cow::Borrowed("default"));

    /// The families that ship.
    pub const ALL: [Self; 5] =
        [Self::ANTHROPIC, Self::OPENAI, Self::GOOGLE, Self::OLLAMA, Self::DEFAULT];

    /// Returns the family of this name.
    ///
    /// # Errors
    ///
    /// Fails unless the name is 1 to 64 characters of `a-z`, `0-9`, `_` and `-`, because it is
    /// also the name of a file.
    pub fn new(name: impl Into<String>) -> Result<Self, PromptError> {
        let name = name.into();
        let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-');
        if name.is_empty() || name.len() > MAX_NAME || !name.chars().all(fits) {
            let message = format!("family name {name:?} is not 1 to 64 of a-z, 0-9, `_` and `-`");
            return Err(PromptError::new(PromptErrorKind::InvalidName, message));
        }
        Ok(Self(Cow::Owned(name)))
    }

    /// Returns the family of a provider and a model by the built-in rules.
    pub fn infer(provider: &str, model: &str) -> Self {
        infer(&[], provider, model)
    }

    /// Returns the name, which is also the name of the family's text files.
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl Default for Family {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Family {
    type Err = PromptError;

    fn from_str(name: &str) -> Result<Self, PromptError> {
        Self::new(name)
    }
}

impl TryFrom<String> for Family {
    type Error = PromptError;

    fn try_from(name: String) -> Result<Self, PromptError> {
        Self::new(name)
    }
}

impl From<Family> for String {
    fn from(family: Family) -> Self {
        family.0.into_owned()
    }
}

/// Decides which family a provider and a model belong to.
///
/// A provider that names a family keeps it, whatever the model is called. Every other provider
/// serves many families, so whole words of the model's name decide. Rules that a host adds come
/// before the built-in ones, the newest first.
///
/// # Example
///
/// ```
/// use brute_prompts::{Families, Family};
///
/// let mistral: Family = "mistral".parse()?;
/// let families = Families::default()
///     .provider("mistral", &mistral)
///     .word("codestral", &mistral);
/// assert_eq!(families.infer("openrouter", "mistralai/codestral-2501"), mistral);
/// assert_eq!(families.infer("openai", "gpt-5"), Family::OPENAI);
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Families {
    rules: Vec<Rule>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Rule {
    kind: RuleKind,
    text: Cow<'static, str>,
    family: Family,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RuleKind {
    /// The whole name of the provider.
    Provider,
    /// A whole word anywhere in the name of the model.
    Word,
    /// A whole word at the start of the last part of the name of the model.
    Head,
}

impl Families {
    /// Gives every model of this provider the family; the case of the name does not matter.
    #[must_use]
    pub fn provider(self, provider: &str, family: &Family) -> Self {
        self.with(RuleKind::Provider, provider, family)
    }

    /// Gives every model with this whole word in its name the family, behind any provider that
    /// names no family itself.
    #[must_use]
    pub fn word(self, word: &str, family: &Family) -> Self {
        self.with(RuleKind::Word, word, family)
    }

    /// Returns the family of a provider and a model.
    pub fn infer(&self, provider: &str, model: &str) -> Family {
        infer(&self.rules, provider, model)
    }

    fn with(mut self, kind: RuleKind, text: &str, family: &Family) -> Self {
        let text = Cow::Owned(text.trim().to_owned());
        self.rules.insert(0, Rule { kind, text, family: family.clone() });
        self
    }
}

const fn rule(kind: RuleKind, text: &'static str, family: Family) -> Rule {
    Rule { kind, text: Cow::Borrowed(text), family }
}

/// The rules that ship, in the order in which they are tried.
static BUILT_IN: [Rule; 17] = {
    use RuleKind::{Head, Provider, Word};
    [
        rule(Provider, "anthropic", Family::ANTHROPIC),
        rule(Provider, "openai", Family::OPENAI),
        rule(Provider, "google", Family::GOOGLE),
        rule(Provider, "gemini", Family::GOOGLE),
        rule(Provider, "ollama", Family::OLLAMA),
        rule(Word, "claude", Family::ANTHROPIC),
        rule(Word, "big-pickle", Family::ANTHROPIC),
        rule(Word, "big_pickle", Family::ANTHROPIC),
        rule(Word, "bigpickle", Family::ANTHROPIC),
        rule(Word, "gpt", Family::OPENAI),
        rule(Word, "chatgpt", Family::OPENAI),
        rule(Word, "codex", Family::OPENAI),
        rule(Head, "o1", Family::OPENAI),
        rule(Head, "o3", Family::OPENAI),
        rule(Head, "o4", Family::OPENAI),
        rule(Word, "gemini", Family::GOOGLE),
        rule(Word, "gemma", Family::GOOGLE),
    ]
};

fn infer(own: &[Rule], provider: &str, model: &str) -> Family {
    let (provider, model) = (provider.trim(), model.trim());
    let rules = || own.iter().chain(&BUILT_IN);
    let by_provider = rules().find(|rule| rule.fits_provider(provider));
    let found = by_provider.or_else(|| rules().find(|rule| rule.fits_model(model)));
    found.map_or(Family::DEFAULT, |rule| rule.family.clone())
}

impl Rule {
    fn fits_provider(&self, provider: &str) -> bool {
        self.kind == RuleKind::Provider && self.text.eq_ignore_ascii_case(provider)
    }

    fn fits_model(&self, model: &str) -> bool {
        match self.kind {
            RuleKind::Provider => false,
            RuleKind::Word => has_word(model, &self.text),
            RuleKind::Head => starts_with_word(last_part(model), &self.text),
        }
    }
}

fn last_part(model: &str) -> &str {
    model.rsplit('/').next().unwrap_or(model)
}

/// Returns true where `word` stands in the text and no letter, digit or underscore touches it.
fn has_word(text: &str, word: &str) -> bool {
    let begins = |at: usize| at == 0 || !is_word_byte(text.as_bytes()[at - 1]);
    text.char_indices().any(|(at, _)| begins(at) && starts_with_word(&text[at..], word))
}

fn starts_with_word(text: &str, word: &str) -> bool {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    text.len() >= word.len()
        && text[..word.len()].eq_ignore_ascii_case(word)
        && !text.get(word.len()).copied().is_some_and(is_word_byte)
        && !word.is_empty()
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
