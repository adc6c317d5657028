//! One render: a list of modules becomes a list of sections.

use std::{cell::OnceCell, sync::Arc};

use crate::{
    Family, Module, PromptContext, PromptError, PromptMode, PromptModule, Section, Texts, Zone,
    entry::Entry,
    module::{Body, HOST, words},
    normalise::normalise,
    skill::SkillList,
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

    /// Renders the entries that have something to say; only the first of them, and the reminders,
    /// where the context wants no more.
    pub(crate) fn sections(&self, entries: &[Entry]) -> Result<Vec<Section>, PromptError> {
        let only_first = self.ctx.prompt_mode == PromptMode::None;
        let mut sections = Vec::with_capacity(entries.len());
        for entry in entries.iter().filter(|entry| entry.holds(self.ctx)) {
            if only_first && !sections.is_empty() && !entry.is_reminder() {
                continue;
            }
            sections.extend(self.section(entry)?);
        }
        Ok(sections)
    }

    /// Returns what the module of this name says.
    pub(crate) fn words(&self, name: &str) -> Result<Option<Words>, PromptError> {
        let variables = self.variables.get_or_init(|| Variables::new(self.ctx, self.family));
        if name == "skills" {
            return self.skills(variables);
        }
        words(self.texts, name, self.ctx, variables)
    }

    /// Returns what the module of this name says of facts that come only once in a session.
    pub(crate) fn once(&self, name: &str) -> Result<Option<Section>, PromptError> {
        let variables = self.variables.get_or_init(|| Variables::new(self.ctx, self.family));
        let text = self.texts.render_once(name, variables);
        let text = text.map_err(|error| error.in_section(name))?;
        let source = self.texts.source(name, self.family.name()).unwrap_or(HOST).into();
        Ok(text.map(|text| Section { name: name.into(), zone: Zone::Session, source, text }))
    }

    /// Lists skills, and leaves some out from the end where the list would be too long.
    fn skills(&self, variables: &Arc<Variables>) -> Result<Option<Words>, PromptError> {
        let list = SkillList::default().texts(self.texts.clone());
        if list.may_hold(self.ctx) {
            let words = words(self.texts, "skills", self.ctx, variables)?;
            if words.as_ref().is_none_or(|words| list.holds(self.ctx, &words.text)) {
                return Ok(words);
            }
        }
        let ctx = PromptContext { family: Some(self.family.clone()), ..self.ctx.clone() };
        let text = list.render(&ctx)?;
        let source: Arc<str> =
            self.texts.source("skills", self.family.name()).unwrap_or(HOST).into();
        Ok(text.map(|text| Words { text: trim(&text).into(), source, zone: Zone::Session }))
    }

    fn section(&self, entry: &Entry) -> Result<Option<Section>, PromptError> {
        let mut section = match &entry.over {
            Some(over) => self.spoken(over)?.and_then(clean),
            None => None,
        };
        if section.is_none() {
            section = self.spoken(&entry.module)?;
            if entry.is_contributed {
                section = section.and_then(clean);
            }
        }
        Ok(section.map(|section| Section { zone: section.zone.max(entry.least), ..section }))
    }

    fn spoken(&self, module: &Module) -> Result<Option<Section>, PromptError> {
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

/// Returns a contributed section with plain line ends and without blanks at the end of a line.
fn clean(section: Section) -> Option<Section> {
    let text = normalise(&section.text);
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let text = trim(&lines.join("\n")).to_owned();
    (!text.is_empty()).then(|| Section { text: text.into(), ..section })
}

fn host_words(text: &str, zone: crate::Zone) -> Option<Words> {
    let text = trim(text);
    (!text.is_empty()).then(|| Words { text: text.into(), source: HOST.into(), zone })
}
