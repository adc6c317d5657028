//! A prompt while a closure puts it together.

use std::sync::Arc;

use crate::{Module, PromptContext, PromptError, PromptModule, module::HOST};

/// Collects the modules and texts of a prompt, in the order in which they are added.
#[derive(Clone, Debug, Default)]
pub struct PromptDraft {
    modules: Vec<Module>,
}

impl PromptDraft {
    /// Adds a module: one that ships, by its name, or one of the host's own.
    pub fn module(&mut self, module: impl Into<Module>) -> &mut Self {
        self.modules.push(module.into());
        self
    }

    /// Adds several modules.
    pub fn modules<M: Into<Module>>(&mut self, modules: impl IntoIterator<Item = M>) -> &mut Self {
        self.modules.extend(modules.into_iter().map(Into::into));
        self
    }

    /// Adds a text that holds within a session; one for everybody is made with [`Module::text`].
    pub fn text(&mut self, text: impl Into<Arc<str>>) -> &mut Self {
        self.module(Text(text.into()))
    }

    pub(crate) fn into_modules(self) -> Vec<Module> {
        self.modules
    }
}

/// A text that the closure made from the context.
struct Text(Arc<str>);

impl PromptModule for Text {
    fn render(&self, _: &PromptContext) -> Result<Option<String>, PromptError> {
        Ok(Some(self.0.to_string()))
    }

    fn name(&self) -> &str {
        HOST
    }
}
