//! One part of a prompt: what it is called, and what it says for a context.

use std::{fmt, sync::Arc};

use crate::{
    Family, PromptContext, PromptError, Texts, Zone, modules, text_file::Outcome,
    variables::Variables,
};

/// Where words come from that stand in code.
pub(crate) const HOST: &str = "host";

/// Says something about a context, or nothing.
///
/// A closure is a module. It should be a pure function of the context: equal contexts give equal
/// words. What it needs from disk, clock or git is gathered before and put into the context.
///
/// # Example
///
/// ```
/// use brute_prompts::{PromptContext, PromptError, PromptModule, SystemPrompt};
///
/// struct Greeting;
///
/// impl PromptModule for Greeting {
///     fn name(&self) -> &str {
///         "greeting"
///     }
///
///     fn render(&self, ctx: &PromptContext) -> Result<Option<String>, PromptError> {
///         Ok(ctx.extra.get("user").map(|user| format!("Greet {user} by name.")))
///     }
/// }
///
/// let mut ctx = PromptContext::default();
/// ctx.extra.insert("user".into(), "Ada".into());
/// let rendered = SystemPrompt::default().append(Greeting).prepare(&ctx)?;
/// assert!(rendered.text().contains("Greet \"Ada\" by name."));
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
pub trait PromptModule: Send + Sync + 'static {
    /// Returns the words for this context, or nothing.
    ///
    /// # Errors
    ///
    /// Fails where the words cannot be made; the error then names the section.
    fn render(&self, ctx: &PromptContext) -> Result<Option<String>, PromptError>;

    /// Returns the name of the section; `host` unless the module has one.
    fn name(&self) -> &str {
        HOST
    }

    /// Returns how long the words hold; within a session, unless the module knows better.
    fn zone(&self) -> Zone {
        Zone::Session
    }

    /// Returns where the words come from; `host` unless they come from a file.
    fn source(&self) -> &str {
        HOST
    }

    /// Returns whether the words stand in the prompt of a sub-agent too; no, unless the module
    /// knows better. See [`PromptMode`](crate::PromptMode).
    fn stands_in_minimal(&self) -> bool {
        false
    }
}

impl<F> PromptModule for F
where
    F: Fn(&PromptContext) -> Result<Option<String>, PromptError> + Send + Sync + 'static,
{
    fn render(&self, ctx: &PromptContext) -> Result<Option<String>, PromptError> {
        self(ctx)
    }
}

/// A module by name, or one of the host's own.
///
/// It is made from the name of a module that ships or lies in an overlay, or from anything that
/// implements [`PromptModule`]. Words that stand in code are made with [`Module::text`].
#[derive(Clone)]
pub struct Module {
    pub(crate) name: Arc<str>,
    pub(crate) body: Body,
}

#[derive(Clone)]
pub(crate) enum Body {
    /// The words of this module in the prompt's texts.
    Named(Arc<str>),
    /// The same words for every context.
    Fixed(Zone, Arc<str>),
    /// A module of the host.
    Own(Arc<dyn PromptModule>),
}

impl Module {
    /// Returns a module with these words for everybody.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{Module, PromptContext, SystemPrompt};
    ///
    /// let prompt = SystemPrompt::default().replace("identity", Module::text("identity", "You are Rex."));
    /// assert!(prompt.prepare(&PromptContext::default())?.text().starts_with("You are Rex."));
    /// # Ok::<(), brute_prompts::PromptError>(())
    /// ```
    pub fn text(name: impl Into<Arc<str>>, words: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), body: Body::Fixed(Zone::Static, words.into()) }
    }

    /// Returns a module of this name that calls the closure at every render.
    ///
    /// # Example
    ///
    /// ```
    /// use brute_prompts::{Module, PromptContext, SystemPrompt};
    ///
    /// let place = Module::from_fn("place", |ctx| Ok(ctx.cwd.as_ref().map(|cwd| format!("In {cwd}."))));
    /// let ctx = PromptContext { cwd: Some("/srv".into()), ..PromptContext::default() };
    /// assert_eq!(SystemPrompt::new([place]).prepare(&ctx)?.text(), "In /srv.");
    /// # Ok::<(), brute_prompts::PromptError>(())
    /// ```
    pub fn from_fn<F>(name: impl Into<Arc<str>>, render: F) -> Self
    where
        F: Fn(&PromptContext) -> Result<Option<String>, PromptError> + Send + Sync + 'static,
    {
        Self { name: name.into(), body: Body::Own(Arc::new(render)) }
    }

    /// Gives the module another name.
    #[must_use]
    pub fn named(mut self, name: impl Into<Arc<str>>) -> Self {
        self.name = name.into();
        self
    }

    /// Returns the name of the section.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name under which its words lie, which may be another than its own.
    pub(crate) fn words_name(&self) -> &str {
        match &self.body {
            Body::Named(name) => name,
            Body::Own(own) => own.name(),
            Body::Fixed(..) => &self.name,
        }
    }

    pub(crate) fn stands_in_minimal(&self) -> bool {
        matches!(&self.body, Body::Own(own) if own.stands_in_minimal())
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Module").field(&self.name).finish()
    }
}

impl From<&str> for Module {
    fn from(name: &str) -> Self {
        let name: Arc<str> = name.into();
        Self { name: name.clone(), body: Body::Named(name) }
    }
}

impl<M: PromptModule> From<M> for Module {
    fn from(module: M) -> Self {
        Self { name: module.name().into(), body: Body::Own(Arc::new(module)) }
    }
}

/// A module by the words that it has in the texts: what names stand for in a stack.
///
/// # Example
///
/// ```
/// use brute_prompts::{PromptContext, PromptModule, TextModule};
///
/// let words = TextModule::new("git_safety").render(&PromptContext::default())?;
/// assert!(words.is_some());
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TextModule {
    name: Arc<str>,
    texts: Texts,
}

impl TextModule {
    /// Returns the module with the words that ship.
    pub fn new(name: impl Into<Arc<str>>) -> Self {
        Self::of(&Texts::shipped(), name)
    }

    /// Returns the module with its words in these texts.
    pub fn of(texts: &Texts, name: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), texts: texts.clone() }
    }
}

impl PromptModule for TextModule {
    fn render(&self, ctx: &PromptContext) -> Result<Option<String>, PromptError> {
        let inferred = || Family::infer(&ctx.provider, &ctx.model);
        let family = ctx.family.clone().unwrap_or_else(inferred);
        let words = words(&self.texts, &self.name, ctx, &Variables::new(ctx, &family))?;
        Ok(words.map(|words| words.text.to_string()))
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn zone(&self) -> Zone {
        modules::zone(&self.name)
    }
}

/// Returns what the module of this name says, in the zone that it and its words ask for.
pub(crate) fn words(
    texts: &Texts,
    name: &str,
    ctx: &PromptContext,
    variables: &Arc<Variables>,
) -> Result<Outcome, PromptError> {
    if !modules::speaks(name, ctx) {
        return Ok(None);
    }
    let mut words = texts.render(name, variables)?;
    if let Some(words) = &mut words {
        words.zone = words.zone.max(modules::zone(name));
    }
    Ok(words)
}
