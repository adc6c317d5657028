//! A stack with a lint between any two neighbours.

use tower::{
    Layer,
    layer::util::{Identity, Stack as Both},
};

use super::{Lint, LintLayer};
use crate::{BuiltStack, Stack, TurnService, stack::name_of};

/// Puts layers on top of each other, as [`Stack`](crate::Stack) does, with a [`LintLayer`] between
/// any two of them.
///
/// ```
/// use brute_core::{Agent, Next, Reply, Session, Turn, from_fn, models::ScriptedModel};
/// use brute_core::testing::LintedStack;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), brute_core::Error> {
/// let polite = from_fn(|turn: Turn, next: Next| async move { next.run(turn).await });
/// let stack = LintedStack::new().layer(polite).model(ScriptedModel::text("Good day."));
/// Agent::builder(stack).build()?.send(&Session::new(), "Hello").await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct LintedStack<L = Identity> {
    stack: Stack<L>,
    last: String,
}

impl LintedStack {
    /// Starts with nothing.
    pub fn new() -> Self {
        Self { stack: Stack::new(), last: "the agent".to_owned() }
    }
}

impl Default for LintedStack {
    fn default() -> Self {
        Self::new()
    }
}

impl<L> LintedStack<L> {
    /// Puts a layer below those that are there.
    pub fn layer<T>(self, layer: T) -> LintedStack<Both<T, Both<LintLayer, L>>> {
        let lint = LintLayer::between(&self.last, &name_of::<T>());
        let stack = self.stack.layer(lint).layer(layer);
        LintedStack { last: stack.picture().names().last().unwrap_or_default().to_owned(), stack }
    }

    /// Puts the model below everything.
    pub fn model<M>(self, model: M) -> BuiltStack<L::Service>
    where
        L: Layer<Lint<M>>,
        L::Service: TurnService,
    {
        let lint = LintLayer::between(&self.last, &name_of::<M>());
        self.stack.layer(lint).model(model)
    }
}
