//! A prompt that a user or a program writes: a text or a file, with a goal and inputs put in once.
//!
//! ```
//! use brute_prompts::user_prompt::{NoReferences, UserPrompt};
//!
//! let prompt = UserPrompt::new("{{ inputs.verb }} it, so that: {{ goal }}")
//!     .goal("all tests pass")
//!     .input("verb", "Fix");
//! assert_eq!(prompt.prepare(&NoReferences)?.text, "Fix it, so that: all tests pass");
//! # Ok::<(), brute_prompts::PromptError>(())
//! ```

mod bundle;
mod inputs;
mod reference;
mod variables;

use std::path::PathBuf;

use serde_json::{Map, Value};

pub(crate) use self::reference::not_found;
pub use self::{
    bundle::Bundle,
    inputs::Inputs,
    reference::{NoReferences, References, Referred},
};
use self::{reference::referred_path, variables::Variables};
use crate::{Diagnostic, PromptError, PromptErrorKind, Severity, plain};

/// A prompt before its references are followed and its template is rendered.
///
/// The text is a template with the variables `goal` and `inputs`, strict about names. A text that
/// begins with `@` stands for the file whose path follows. Goal, inputs and whatever they hold are
/// data: they go in once and are never rendered.
#[derive(Clone, Debug, Default)]
pub struct UserPrompt {
    text: String,
    label: Option<String>,
    id: Option<String>,
    goal: Option<String>,
    inputs: Inputs,
    environment: Option<Map<String, Value>>,
    lenient: bool,
}

/// A prompt that is ready to be sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PreparedPrompt {
    /// What to send.
    pub text: String,
    /// Where it comes from: the path of a file, `prompt`, `label` or `id`.
    pub source: String,
    /// The goal, read from its file if it was a reference.
    pub goal: Option<String>,
    /// What was odd about references that were left as they are.
    pub diagnostics: Vec<Diagnostic>,
}

impl UserPrompt {
    /// Takes a text, or `@` and the path of a file with the text.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// Names what stands in where the text is blank; it is a template, too, but no reference.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Names what stands in, as it is, where the label is blank as well.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Sets the goal: a text, or `@` and the path of a file with it. Without one, a text that
    /// names the goal fails.
    #[must_use]
    pub fn goal(mut self, goal: impl Into<String>) -> Self {
        self.goal = Some(goal.into());
        self
    }

    /// Gives one input, which the text reads as `inputs.<name>`.
    #[must_use]
    pub fn input(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.inputs.set(name, value);
        self
    }

    /// Gives all inputs, in place of those so far.
    #[must_use]
    pub fn inputs(mut self, inputs: impl Into<Inputs>) -> Self {
        self.inputs = inputs.into();
        self
    }

    /// Lets the text read these variables of the environment as `env.<name>`; others do not exist
    /// for it. Without this call there is no `env`.
    #[must_use]
    pub fn environment<N: Into<String>, V: Into<String>>(
        mut self,
        variables: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        let variables = variables.into_iter();
        self.environment =
            Some(variables.map(|(name, value)| (name.into(), value.into().into())).collect());
        self
    }

    /// Leaves a reference that cannot be followed as it is, with a diagnostic, instead of failing.
    #[must_use]
    pub fn lenient(mut self) -> Self {
        self.lenient = true;
        self
    }

    /// Follows references and renders the template, once.
    ///
    /// A text that is blank, be it before or after, counts as absent: the label stands in for it,
    /// and for a blank label the id.
    ///
    /// # Errors
    ///
    /// Fails where a reference cannot be followed, unless it may stay; where the template is wrong
    /// or names something that does not exist, with file and line; and where nothing is left to
    /// be said.
    pub fn prepare(&self, references: &impl References) -> Result<PreparedPrompt, PromptError> {
        let mut diagnostics = Vec::new();
        let goal = self.goal.as_deref();
        let goal = goal.map(|goal| self.follow(goal, "goal", references, &mut diagnostics));
        let prompt = self.follow(&self.text, "prompt", references, &mut diagnostics)?;
        let label = Referred::inline(self.label.as_deref().unwrap_or_default(), "label");
        let goal = goal.transpose()?.map(|goal| goal.text);
        let variables = Variables::new(goal.as_deref(), &self.inputs, self.environment.as_ref());
        for template in [prompt, label] {
            let text = variables.fill(&template)?;
            if !text.trim().is_empty() {
                return Ok(PreparedPrompt { text, source: template.source, goal, diagnostics });
            }
        }
        let text = self.id.clone().filter(|id| !id.trim().is_empty()).ok_or_else(blank)?;
        Ok(PreparedPrompt { text, source: "id".to_owned(), goal, diagnostics })
    }

    /// Returns the text that a value stands for, be it itself or a file.
    fn follow(
        &self,
        value: &str,
        place: &str,
        references: &impl References,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<Referred, PromptError> {
        let Some(path) = referred_path(value) else { return Ok(Referred::inline(value, place)) };
        match references.read(path) {
            Err(error) if self.lenient => {
                diagnostics.push(left_as_it_is(path, &error));
                Ok(Referred::inline(value, place))
            }
            referred => referred,
        }
    }
}

fn left_as_it_is(path: &str, error: &PromptError) -> Diagnostic {
    let (kind, severity) = match error.kind() {
        PromptErrorKind::NotFound => ("reference_missing", Severity::Info),
        _ => ("reference_unreadable", Severity::Warning),
    };
    let message = format!("{error}; the text stays @{}", plain::visible(path));
    Diagnostic { path: PathBuf::from(path), kind, severity, message }
}

fn blank() -> PromptError {
    let message =
        "the prompt is blank, and no label or id stands in: give a text, or a file with one";
    PromptError::new(PromptErrorKind::Blank, message)
}
