//! What all looking tools share: typed arguments, a place to start from, work off the runtime.

use std::{panic::resume_unwind, sync::Arc};

use brute_core::{Error, ErrorKind, FnTool, ToolContext, ToolOutput, tool_fn};
use futures::future::BoxFuture;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::DeserializeOwned;
use tokio::runtime::Handle;

use super::{place::Place, stop::Stop};

/// A tool that only looks.
pub(super) type Looking<A> = FnTool<A, Run<A>>;

/// The async function inside such a tool.
pub(super) type Run<A> =
    Box<dyn Fn(A, ToolContext) -> BoxFuture<'static, Result<ToolOutput, Error>> + Send + Sync>;

/// Makes a tool of a function that may block.
pub(super) fn looking<A, F>(name: &str, description: &str, look: F) -> Looking<A>
where
    A: DeserializeOwned + JsonSchema + Send + 'static,
    F: Fn(&A, &Place, &Stop) -> Result<ToolOutput, Error> + Send + Sync + 'static,
{
    let look = Arc::new(look);
    let run: Run<A> = Box::new(move |arguments, context| {
        let look = look.clone();
        Box::pin(off_the_runtime(move |stop| look(&arguments, &Place::of(&context.facts)?, stop)))
    });
    tool_fn(name, description, run).read_only()
}

/// Describes a whole number from 1 on, without a format, which some providers refuse.
pub(super) fn from_one(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "integer", "minimum": 1 })
}

/// Runs blocking work on a thread that may block, and asks it to stop when the future is dropped.
async fn off_the_runtime<T, F>(work: F) -> Result<T, Error>
where
    T: Send + 'static,
    F: FnOnce(&Stop) -> Result<T, Error> + Send + 'static,
{
    let stop = Stop::default();
    let _guard = stop.on_drop();
    let Ok(runtime) = Handle::try_current() else { return work(&stop) };
    let joined = runtime.spawn_blocking(move || work(&stop)).await;
    joined.unwrap_or_else(|error| match error.try_into_panic() {
        Ok(panic) => resume_unwind(panic),
        Err(_) => Err(Error::new(ErrorKind::Tool, "the program is shutting down")),
    })
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, time::Duration};

    use futures::FutureExt;

    use super::*;

    /// Works until it is asked to stop, and then says so.
    fn work_until_stopped(done: mpsc::Sender<()>) -> impl FnOnce(&Stop) -> Result<(), Error> {
        move |stop| {
            while !stop.is_asked_for() {
                std::thread::yield_now();
            }
            done.send(()).map_err(|error| Error::new(ErrorKind::Tool, error.to_string()))
        }
    }

    #[tokio::test]
    async fn dropping_the_call_stops_the_work() {
        let (done, is_done) = mpsc::channel();
        let call = off_the_runtime(work_until_stopped(done));
        assert!(call.now_or_never().is_none(), "the call waits for the other thread");
        is_done.recv_timeout(Duration::from_secs(30)).expect("the work ends");
    }

    #[tokio::test]
    #[should_panic(expected = "a bug in the tool")]
    async fn a_panic_of_the_work_is_a_panic_of_the_call() {
        let call = off_the_runtime::<(), _>(|_| panic!("a bug in the tool"));
        drop(call.await);
    }

    #[test]
    fn without_a_runtime_the_work_runs_at_once() {
        let call = off_the_runtime(|_| Ok(7));
        assert_eq!(call.now_or_never().and_then(Result::ok), Some(7));
    }
}
