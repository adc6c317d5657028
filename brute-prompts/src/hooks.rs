//! Places at which a host can step in: before a prompt is put together, and after.

use std::{borrow::Cow, fmt, sync::Arc};

use crate::{PromptContext, Section};

type ContextHook = dyn Fn(&mut PromptContext) + Send + Sync;
type SectionsHook = dyn Fn(&mut Vec<Section>, &PromptContext) + Send + Sync;

/// The hooks of a prompt, in the order in which they were added.
#[derive(Clone, Default)]
pub(crate) struct Hooks {
    context: Vec<Arc<ContextHook>>,
    sections: Vec<Arc<SectionsHook>>,
}

impl Hooks {
    pub(crate) fn on_context<H>(&mut self, hook: H)
    where
        H: Fn(&mut PromptContext) + Send + Sync + 'static,
    {
        self.context.push(Arc::new(hook));
    }

    pub(crate) fn on_sections<H>(&mut self, hook: H)
    where
        H: Fn(&mut Vec<Section>, &PromptContext) + Send + Sync + 'static,
    {
        self.sections.push(Arc::new(hook));
    }

    /// Returns the context as the hooks leave it.
    pub(crate) fn context<'a>(&self, ctx: &'a PromptContext) -> Cow<'a, PromptContext> {
        let mut ctx = Cow::Borrowed(ctx);
        for hook in &self.context {
            hook(ctx.to_mut());
        }
        ctx
    }

    pub(crate) fn sections(&self, sections: &mut Vec<Section>, ctx: &PromptContext) {
        for hook in &self.sections {
            hook(sections, ctx);
        }
    }
}

impl fmt::Debug for Hooks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counts = (self.context.len(), self.sections.len());
        f.debug_tuple("Hooks").field(&counts).finish()
    }
}
