//! The one protocol: a turn goes in, a reply comes out, at every height of the stack.

use std::mem;

use futures::future::BoxFuture;
use tower::{BoxError, Service, util::BoxCloneSyncService};

use crate::{Error, Reply, ToolOutput, ToolRequest, Turn};

/// The future of a reply; a model call takes seconds, the box takes nanoseconds.
pub type ReplyFuture = BoxFuture<'static, Result<Reply, Error>>;

/// A stack whose type is erased.
pub type BoxStack = BoxCloneSyncService<Turn, Reply, Error>;

/// A tool, or a stack around one, whose type is erased.
pub type BoxTool = BoxCloneSyncService<ToolRequest, ToolOutput, Error>;

/// The one bound that a layer needs: a service that takes a [`Turn`] and answers a [`Reply`].
///
/// Every such service has it.
pub trait TurnService:
    Service<
        Turn,
        Response = Reply,
        Error: Into<BoxError> + Send + Sync + 'static,
        Future: Send + 'static,
    > + Clone
    + Send
    + Sync
    + 'static
{
}

impl<S> TurnService for S
where
    S: Service<Turn, Response = Reply> + Clone + Send + Sync + 'static,
    S::Error: Into<BoxError> + Send + Sync + 'static,
    S::Future: Send + 'static,
{
}

/// The one bound that a layer around tools needs.
///
/// Every service that takes a [`ToolRequest`] and answers a [`ToolOutput`] has it.
pub trait ToolService:
    Service<
        ToolRequest,
        Response = ToolOutput,
        Error: Into<BoxError> + Send + Sync + 'static,
        Future: Send + 'static,
    > + Clone
    + Send
    + Sync
    + 'static
{
}

impl<S> ToolService for S
where
    S: Service<ToolRequest, Response = ToolOutput> + Clone + Send + Sync + 'static,
    S::Error: Into<BoxError> + Send + Sync + 'static,
    S::Future: Send + 'static,
{
}

/// Takes out the instance that was readied and leaves a fresh one in its place.
///
/// For layers that work before they call: the future must own the instance whose `poll_ready`
/// said yes, since a clone of it is not ready.
pub fn take_ready<S: Clone>(inner: &mut S) -> S {
    let fresh = inner.clone();
    mem::replace(inner, fresh)
}
