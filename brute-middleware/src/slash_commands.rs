//! Takes commands such as `/review src` at the start of what the user wrote.

mod expand;

use std::{
    fmt,
    future::Future,
    sync::Arc,
    task::{Context, Poll},
};

use brute_core::{Error, Next, Reply, ReplyFuture, Turn, TurnService, take_ready};
use brute_prompts::{
    gather::GatherOptions,
    skill::{Commands, ExpandOptions, UnknownCommand},
};
use futures::FutureExt;
use tower::{Layer, Service};

use self::expand::{authored_start, expand};
use crate::misplaced::tell_below_input;

type Handler = Arc<dyn Fn(Turn, String, Next) -> ReplyFuture + Send + Sync>;

/// Takes commands at the start of what the user wrote: those of the host first, then skills.
///
/// `/name rest` at the start of the text is replaced by the text of the skill `name`, with `rest`
/// in the places that it has for it. Only authored text is looked at: what was generated, such as
/// a preamble, is never a command. What the text becomes is what will be recorded.
///
/// It belongs above `AcceptInput`.
///
/// ```
/// use brute_core::{Next, Reply, Turn};
/// use brute_middleware::SlashCommandsLayer;
///
/// let layer = SlashCommandsLayer::new().command("version", |_: Turn, _: String, _: Next| async {
///     Ok(Reply::text("Brute 0.1"))
/// });
/// ```
#[derive(Clone)]
pub struct SlashCommandsLayer {
    commands: Commands<Handler>,
    options: ExpandOptions,
    gather: Option<GatherOptions>,
    applies: Arc<dyn Fn(&Turn) -> bool + Send + Sync>,
}

impl SlashCommandsLayer {
    /// Knows no commands but skills; a name that no skill has stays as it is.
    pub fn new() -> Self {
        Self {
            commands: Commands::new(),
            options: ExpandOptions::default(),
            gather: Some(GatherOptions::default()),
            applies: Arc::new(|_| true),
        }
    }

    /// Adds a command of the host: an async function of the turn, the arguments and what lies below.
    #[must_use]
    pub fn command<F, Fut>(mut self, name: &str, run: F) -> Self
    where
        F: Fn(Turn, String, Next) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Reply, Error>> + Send + 'static,
    {
        let handler: Handler =
            Arc::new(move |turn, arguments, next| Box::pin(run(turn, arguments, next)));
        self.commands = self.commands.on(name, handler);
        self
    }

    /// Puts arguments behind the text of a skill that has no place for them; else they are dropped.
    #[must_use]
    pub fn append_arguments(mut self) -> Self {
        self.options.append_arguments = true;
        self
    }

    /// Says what a name means that no skill has.
    #[must_use]
    pub fn unknown(mut self, unknown: UnknownCommand) -> Self {
        self.options.unknown = unknown;
        self
    }

    /// Looks for skills with these options, if that was not done before; `None` looks nowhere.
    #[must_use]
    pub fn gather(mut self, options: impl Into<Option<GatherOptions>>) -> Self {
        self.gather = options.into();
        self
    }

    /// Takes commands only where this holds, such as not for a model that takes them itself.
    #[must_use]
    pub fn when(mut self, applies: impl Fn(&Turn) -> bool + Send + Sync + 'static) -> Self {
        self.applies = Arc::new(applies);
        self
    }

    /// Tells whether the input may begin with a command at all.
    fn concerns(&self, turn: &Turn) -> bool {
        authored_start(turn).is_some_and(|text| text.trim_start().starts_with('/'))
            && (self.applies)(turn)
    }

    /// Finds the command of the host that the input calls.
    fn host_command(&self, turn: &Turn) -> Option<(Handler, String)> {
        let (handler, command) = self.commands.find(authored_start(turn)?)?;
        Some((handler.clone(), command.arguments.to_owned()))
    }
}

impl Default for SlashCommandsLayer {
    fn default() -> Self {
        Self::new()
    }
}

/// Service made by [`SlashCommandsLayer`].
#[derive(Clone, Debug)]
pub struct SlashCommands<S> {
    inner: S,
    layer: Arc<SlashCommandsLayer>,
}

impl<S> Layer<S> for SlashCommandsLayer {
    type Service = SlashCommands<S>;

    fn layer(&self, inner: S) -> Self::Service {
        SlashCommands { inner, layer: Arc::new(self.clone()) }
    }
}

impl<S: TurnService> Service<Turn> for SlashCommands<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        self.inner.poll_ready(cx).map_err(Error::wrap)
    }

    fn call(&mut self, mut turn: Turn) -> ReplyFuture {
        tell_below_input(&turn, "SlashCommands");
        if !self.layer.concerns(&turn) {
            return Box::pin(self.inner.call(turn).map(|reply| reply.map_err(Error::wrap)));
        }
        if let Some((handler, arguments)) = self.layer.host_command(&turn) {
            return handler(turn, arguments, Next::new(self.inner.clone()));
        }
        let (layer, mut inner) = (self.layer.clone(), take_ready(&mut self.inner));
        Box::pin(async move {
            expand(&mut turn, layer.options, layer.gather.as_ref()).await?;
            inner.call(turn).await.map_err(Error::wrap)
        })
    }
}

impl fmt::Debug for SlashCommandsLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SlashCommandsLayer")
            .field("commands", &self.commands)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
