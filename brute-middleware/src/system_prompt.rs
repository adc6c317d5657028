//! Prepends the system message when the log has none.

mod facts;
mod files;
mod kept_prompts;
mod policy;
mod render;

use std::{
    sync::Arc,
    task::{Context, Poll},
};

use brute_core::{
    Error, ErrorKind, Log, Reply, ReplyFuture, Role, Section, Turn, TurnService, take_ready,
};
use brute_prompts::{
    ContextMessage, PromptContext, PromptSettings, ReminderPlacement, SystemPrompt,
    gather::{GatherOptions, PromptFileOptions},
};
use futures::FutureExt;
use tower::{Layer, Service};

pub use self::kept_prompts::{KeptPrompt, kept_prompts};
pub use self::policy::RenderPolicy;
pub(crate) use self::policy::is_snapshot;
pub(crate) use self::render::{core_section, prompt_error};
use self::{
    facts::Facts,
    files::{PromptFiles, key_of_agent, key_of_supervisor},
    policy::{Kept, SNAPSHOT, system_message},
};

/// Prepends the system message to what the model sees, when the log has none.
///
/// A system message anywhere in the log is respected, and nothing is added or moved. The prompt is
/// rendered lazily, when a turn passes, from the facts of that turn. What holds for a session, such
/// as date and skills, is gathered at its first turn and kept with it, so the bytes stay.
///
/// It belongs above `ToolLoop`, so that the prompt is the same for the whole turn.
///
/// ```
/// use brute_core::{Agent, Session, Stack, models::ScriptedModel};
/// use brute_middleware::{AcceptInputLayer, SystemPromptLayer};
/// use brute_prompts::SystemPrompt;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), brute_core::Error> {
/// let model = ScriptedModel::text("Hello.");
/// let prompt = SystemPrompt::build(|prompt, _| {
///     prompt.text("You are a poet.");
///     Ok(())
/// });
/// let stack = Stack::new()
///     .layer(AcceptInputLayer)
///     .layer(SystemPromptLayer::new(prompt))
///     .model(model.clone());
/// Agent::builder(stack).build()?.send(&Session::new(), "Hi!").await?;
/// assert_eq!(model.requests()[0].log.get(0).unwrap().text(), "You are a poet.");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct SystemPromptLayer {
    prompt: SystemPrompt,
    policy: RenderPolicy,
    foreign: ForeignSystem,
    gather: Option<GatherOptions>,
    files: Option<PromptFiles>,
    /// The metadata key of a prompt that is kept.
    key: Arc<str>,
    git_status: bool,
    shared_prefix: bool,
}

/// Says what becomes of a system message that the layer did not make.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ForeignSystem {
    /// It is respected, and nothing is added.
    #[default]
    Respect,
    /// The prompt takes its place, such as in a history that came back from elsewhere.
    Replace,
    /// The turn is refused, since a client that is not trusted may have sent it.
    Refuse,
}

impl SystemPromptLayer {
    /// Renders this prompt.
    ///
    /// Reminders are left to [`RemindersLayer`](crate::RemindersLayer), which puts them at the end
    /// of a call.
    pub fn new(prompt: SystemPrompt) -> Self {
        Self {
            prompt: prompt.reminder_placement(ReminderPlacement::Tail),
            policy: RenderPolicy::default(),
            foreign: ForeignSystem::default(),
            shared_prefix: false,
            gather: Some(GatherOptions::default()),
            files: None,
            key: SNAPSHOT.into(),
            git_status: false,
        }
    }

    /// Renders the prompt of a supervisor: the file that a configuration names for it, read at a
    /// session's first request, else the words that ship.
    ///
    /// The file is no template, and it may be empty. One that is named and missing is an error.
    /// What was read stays for the session; without such a file it is looked for again.
    pub fn supervisor(options: PromptFileOptions) -> Self {
        let (files, key) = (PromptFiles::of_supervisor(options), key_of_supervisor(SNAPSHOT));
        let layer = Self::new(SystemPrompt::supervisor(None)).gather(None);
        Self { files: Some(files), key, ..layer }
    }

    /// Takes the prompt file of the user or the project, where there is one, in the place of the
    /// words of the prompt; see [`SystemPrompt::configured`].
    ///
    /// File and settings are read at a session's first request and fixed for it: the policy becomes
    /// [`Snapshot`](RenderPolicy::Snapshot), and later changes count for new sessions. A file that
    /// cannot be read, or is no valid template, fails the turn with an error that names it, and
    /// nothing is kept. The folders that the options leave open are found by the user's home and
    /// the repository of the working directory. The fact `headless` switches comments on tool
    /// calls off. A role has a prompt of its own, also in a session that has another one already.
    ///
    /// ```
    /// use brute_middleware::SystemPromptLayer;
    /// use brute_prompts::{PromptSettings, gather::PromptFileOptions};
    ///
    /// let options = PromptFileOptions::brute(None, None).role("explore");
    /// let layer = SystemPromptLayer::default().prompt_files(options, PromptSettings::default());
    /// ```
    #[must_use]
    pub fn prompt_files(mut self, options: PromptFileOptions, settings: PromptSettings) -> Self {
        self.key = key_of_agent(SNAPSHOT, &options);
        self.files = Some(PromptFiles::of_agent(options, settings));
        self.policy(RenderPolicy::Snapshot)
    }

    /// Says when the prompt is rendered.
    #[must_use]
    pub fn policy(mut self, policy: RenderPolicy) -> Self {
        self.policy = policy;
        self
    }

    /// Says what becomes of a system message from elsewhere.
    #[must_use]
    pub fn foreign(mut self, foreign: ForeignSystem) -> Self {
        self.foreign = foreign;
        self
    }

    /// Moves what differs between sessions, such as directory and date, out of the system message
    /// into a first message of the user, so that the system message is the same for everybody.
    #[must_use]
    pub fn shared_prefix(mut self) -> Self {
        self.shared_prefix = true;
        self
    }

    /// Gathers the facts of a session with these options, or, with `None`, not at all.
    #[must_use]
    pub fn gather(mut self, options: impl Into<Option<GatherOptions>>) -> Self {
        self.gather = options.into();
        self
    }

    /// Adds a section with the state of the git repository, asked for anew at each turn.
    #[must_use]
    pub fn with_git_status(mut self) -> Self {
        self.prompt = self.prompt.append("git_status");
        self.git_status = true;
        self
    }

    /// Puts reminders that hold when a turn starts into the system message.
    ///
    /// For stacks without [`RemindersLayer`](crate::RemindersLayer): with both, a reminder would
    /// stand twice in one request.
    #[must_use]
    pub fn reminders_in_system(mut self) -> Self {
        self.prompt = self.prompt.reminder_placement(ReminderPlacement::System);
        self
    }

    /// Returns the options that facts are gathered with, if they are.
    pub fn gather_options(&self) -> Option<&GatherOptions> {
        self.gather.as_ref()
    }

    /// Returns the prompt that is rendered.
    pub fn prompt(&self) -> &SystemPrompt {
        &self.prompt
    }

    /// Renders with the facts and puts the messages where they belong.
    fn apply(&self, turn: &mut Turn, facts: &Facts) -> Result<(), Error> {
        let mut ctx = render::context(turn, facts);
        let (sections, beside) = match self.policy.recall(turn, &self.key) {
            Some(kept) => {
                ctx.prompt_mode = kept.mode;
                let now = render::sections_now(&self.chosen_prompt(facts), &ctx, turn);
                (kept.with(now), kept.beside)
            }
            None => self.render(turn, facts, &ctx)?,
        };
        let message = (!sections.is_empty()).then(|| system_message(sections));
        let split =
            |message| if self.shared_prefix { render::split(message) } else { vec![message] };
        let message = message.map(split);
        turn.log = without_system(&turn.log);
        let beside = beside.iter().map(render::beside);
        for message in message.into_iter().flatten().chain(beside).rev() {
            turn.log.push_front(message);
        }
        Ok(())
    }

    /// Renders the sections and what stands beside them, and keeps it, and what it was made from;
    /// where it fails, nothing is kept.
    fn render(
        &self,
        turn: &Turn,
        facts: &Facts,
        ctx: &PromptContext,
    ) -> Result<(Vec<Section>, Vec<ContextMessage>), Error> {
        let sections = render::sections(&self.chosen_prompt(facts), ctx)?;
        let beside = self.prompt.messages(ctx).map_err(prompt_error)?;
        if let (Some(files), Some(chosen)) = (&self.files, &facts.chosen) {
            files.keep(turn, chosen);
        }
        self.policy.keep(turn, &self.key, || Kept::of(ctx.prompt_mode, &sections, &beside));
        Ok((sections, beside))
    }

    /// Returns the prompt with the file that was read for the session, if one was.
    fn chosen_prompt(&self, facts: &Facts) -> SystemPrompt {
        match (&self.files, &facts.chosen) {
            (Some(files), Some(chosen)) => files.apply(&self.prompt, chosen),
            _ => self.prompt.clone(),
        }
    }

    /// Decides whether the view gets a system message.
    fn applies(&self, log: &Log) -> Result<bool, Error> {
        match self.foreign {
            _ if !log.has_system() => Ok(true),
            _ if log.iter().all(|message| !policy::is_foreign(message)) => Ok(self.policy.renews()),
            ForeignSystem::Respect => Ok(false),
            ForeignSystem::Replace => Ok(true),
            ForeignSystem::Refuse => Err(Error::new(
                ErrorKind::Invalid,
                "the conversation holds a system message from elsewhere, which this stack refuses",
            )),
        }
    }
}

/// Returns the log without the system messages that the prompt takes the place of.
fn without_system(log: &Log) -> Log {
    if log.has_system() {
        return log.iter().filter(|message| message.role != Role::System).cloned().collect();
    }
    log.clone()
}

impl Default for SystemPromptLayer {
    fn default() -> Self {
        Self::new(SystemPrompt::default())
    }
}

/// Service made by [`SystemPromptLayer`].
#[derive(Clone, Debug)]
pub struct WithSystemPrompt<S> {
    inner: S,
    layer: SystemPromptLayer,
}

impl<S> Layer<S> for SystemPromptLayer {
    type Service = WithSystemPrompt<S>;

    fn layer(&self, inner: S) -> Self::Service {
        WithSystemPrompt { inner, layer: self.clone() }
    }
}

impl<S: TurnService> Service<Turn> for WithSystemPrompt<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, mut turn: Turn) -> ReplyFuture {
        match self.layer.applies(&turn.log) {
            Ok(true) => {}
            Ok(false) => {
                return Box::pin(self.inner.call(turn).map(|reply| reply.map_err(Error::wrap)));
            }
            Err(error) => return Box::pin(async { Err(error) }),
        }
        if let Some(facts) = self.layer.known_facts(&turn) {
            if let Err(error) = self.layer.apply(&mut turn, &facts) {
                return Box::pin(async { Err(error) });
            }
            return Box::pin(self.inner.call(turn).map(|reply| reply.map_err(Error::wrap)));
        }
        let (layer, mut inner) = (self.layer.clone(), take_ready(&mut self.inner));
        Box::pin(async move {
            let facts = layer.gather_facts(&turn).await?;
            layer.apply(&mut turn, &facts)?;
            inner.call(turn).await.map_err(Error::wrap)
        })
    }
}
