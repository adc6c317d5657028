//! A stack of layers that knows what it looks like.

mod name;
mod picture;

use std::fmt;

use tower::{
    Layer,
    layer::util::{Identity, Stack as Both},
};

pub(crate) use self::name::of_type as name_of;
pub use self::picture::Picture;
use crate::{Dispatch, ToolService, TurnService};

/// Puts layers on top of each other, outermost first, as tower's `ServiceBuilder` does, and keeps
/// a [`Picture`] of them.
///
/// ```
/// use std::time::Duration;
///
/// use brute_core::{Stack, models::ScriptedModel};
/// use tower::timeout::TimeoutLayer;
///
/// let stack = Stack::new()
///     .layer(TimeoutLayer::new(Duration::from_secs(60)))
///     .note("for the whole turn")
///     .model(ScriptedModel::text("hi"));
/// assert_eq!(stack.picture().to_string(), "├ (tower) Timeout   for the whole turn\n└ ScriptedModel\n");
/// ```
#[derive(Clone)]
pub struct Stack<L = Identity> {
    layers: L,
    picture: Picture,
}

impl Stack {
    /// Starts with nothing.
    pub fn new() -> Self {
        Self { layers: Identity::new(), picture: Picture::default() }
    }
}

impl Default for Stack {
    fn default() -> Self {
        Self::new()
    }
}

impl<L> Stack<L> {
    /// Puts a layer below those that are there.
    pub fn layer<T>(mut self, layer: T) -> Stack<Both<T, L>> {
        self.picture.push(name::of_type::<T>());
        Stack { layers: Both::new(layer, self.layers), picture: self.picture }
    }

    /// Puts another stack below the layers that are there.
    pub fn extend<T>(mut self, other: Stack<T>) -> Stack<Both<T, L>> {
        self.picture.extend(other.picture);
        Stack { layers: Both::new(other.layers, self.layers), picture: self.picture }
    }

    /// Adds a remark to the layer that was put last.
    #[must_use]
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.picture.note(note.into());
        self
    }

    /// Says that the layer that was put last offers a tool of this name, be it only at times.
    ///
    /// The picture looks the same, but an agent whose own tool has that name is not built: see
    /// [`AgentBuilder::build`](crate::AgentBuilder::build). Without it the clash shows at the first
    /// turn that the layer adds its tool to.
    #[must_use]
    pub fn offers(mut self, tool: impl Into<String>) -> Self {
        self.picture.offer(tool.into());
        self
    }

    /// Draws a stack that hangs off the layer that was put last, such as the one around tools.
    #[must_use]
    pub fn branch(mut self, picture: &Picture) -> Self {
        self.picture.branch(picture.clone());
        self
    }

    /// Puts the model below everything, which makes the stack whole.
    pub fn model<M>(mut self, model: M) -> BuiltStack<L::Service>
    where
        L: Layer<M>,
        L::Service: TurnService,
    {
        self.picture.push(name::of_type::<M>());
        BuiltStack { service: self.layers.layer(model), picture: self.picture }
    }

    /// Puts these layers on top of a stack that is whole.
    pub fn over<S>(mut self, stack: BuiltStack<S>) -> BuiltStack<L::Service>
    where
        L: Layer<S>,
    {
        self.picture.extend(stack.picture);
        BuiltStack { service: self.layers.layer(stack.service), picture: self.picture }
    }

    /// Puts the service that runs tools below everything, which makes it a stack around tools.
    pub fn tools(mut self) -> BuiltStack<L::Service>
    where
        L: Layer<Dispatch>,
        L::Service: ToolService,
    {
        self.picture.push("the tool".into());
        BuiltStack { service: self.layers.layer(Dispatch), picture: self.picture }
    }

    /// Returns the picture of the layers.
    pub fn picture(&self) -> &Picture {
        &self.picture
    }
}

impl<T, L: Layer<T>> Layer<T> for Stack<L> {
    type Service = L::Service;

    fn layer(&self, inner: T) -> Self::Service {
        self.layers.layer(inner)
    }
}

/// A whole stack: a service and its picture.
#[derive(Clone)]
pub struct BuiltStack<S> {
    service: S,
    picture: Picture,
}

impl<S> BuiltStack<S> {
    /// Returns the picture of the layers.
    pub fn picture(&self) -> &Picture {
        &self.picture
    }

    /// Wraps the service without changing the picture, such as to erase its type.
    pub fn map<T>(self, wrap: impl FnOnce(S) -> T) -> BuiltStack<T> {
        BuiltStack { service: wrap(self.service), picture: self.picture }
    }

    /// Splits the stack into its service and its picture.
    pub fn into_parts(self) -> (S, Picture) {
        (self.service, self.picture)
    }
}

impl<S: TurnService> From<S> for BuiltStack<S> {
    /// Takes any service for a stack; its picture shows its type.
    fn from(service: S) -> Self {
        let mut picture = Picture::default();
        picture.push(name::of_type::<S>());
        Self { service, picture }
    }
}

impl<L> fmt::Display for Stack<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.picture.fmt(f)
    }
}

impl<S> fmt::Display for BuiltStack<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.picture.fmt(f)
    }
}

impl<L> fmt::Debug for Stack<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stack").field(&self.picture).finish()
    }
}

impl<S> fmt::Debug for BuiltStack<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("BuiltStack").field(&self.picture).finish()
    }
}
