//! One render: a list of modules becomes a list of sections.

use std::{cell::OnceCell, sync::Arc};

use crate::{
    Family, Module, PromptContext, PromptError, Section, Texts,
    edit::Entry,
    module::{Body, HOST, words},
    text_file::Words,
    trim::trim,
    variables::Variables,
};

/// Everything that the modules of one prompt are rendered with.
pub(crate) struct Render<'a> {
    texts: &'a Texts,
    ctx: &'a PromptContext,
    family: &'a Family,
    variables: OnceCell<Arc<Variables>>,
}

impl<'a> Render<'a> {
    pub(crate) fn new(texts: &'a Texts, ctx: &'a PromptContext, family: &'a Family) -> Self {
        Self { texts, ctx, family, variables: OnceCell::new() }
    }

    /// Renders the entries that have something to say.
    pub(crate) fn sections(&self, entries: &[Entry]) -> Result<Vec<Section>, PromptError> {
        let holding = entries.iter().filter(|entry| entry.holds(self.ctx));
        holding.filter_map(|entry| self.section(&entry.module).transpose()).collect()
    }

    /// Returns what the module of this name says.
    pub(crate) fn words(&self, name: &str) -> Result<Option<Words>, PromptError> {
        let variables = self.variables.get_or_init(|| Variables::new(self.ctx, self.family));
        words(self.texts, name, self.ctx, variables)
    }

    fn section(&self, module: &Module) -> Result<Option<Section>, PromptError> {
        let words = match &module.body {
            Body::Named(name) => self.words(name),
            Body::Fixed(zone, text) => Ok(host_words(text, *zone)),
            Body::Own(own) => own.render(self.ctx).map(|text| {
                let words = host_words(&text?, own.zone())?;
                Some(Words { source: own.source().into(), ..words })
            }),
        };
        let words = words.map_err(|error| error.in_section(&module.name))?;
        Ok(words.map(|words| Section {
            name: module.name.clone(),
            zone: words.zone,
            source: words.source,
            text: words.text,
        }))
    }
}

fn host_words(text: &str, zone: crate::Zone) -> Option<Words> {
    let text = trim(text);
    (!text.is_empty()).then(|| Words { text: text.into(), source: HOST.into(), zone })
}
