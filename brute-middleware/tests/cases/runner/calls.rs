//! Makes the calls of a case: one after the other, side by side, or in several runs.

use std::{
    panic::resume_unwind,
    path::{Path, PathBuf},
    sync::Barrier,
    thread,
};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tower::BoxError;

use super::{
    case::{Call, Case, Changes, parse},
    operations::{self, Context, Scene},
};

/// What came of the calls: for each run the record of every call.
pub(crate) type Outcomes = Vec<Vec<Value>>;

/// The calls of a case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) root: PathBuf,
    pub(crate) op: String,
    /// How many calls each run makes.
    pub(crate) calls: usize,
    /// From how many tasks at once.
    pub(crate) tasks: usize,
    /// How many times the result goes through the same layer.
    pub(crate) apply: usize,
    pub(crate) runs: Vec<Run>,
}

/// What one run calls with.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Run {
    pub(crate) args: Map<String, Value>,
    pub(crate) context: Context,
}

impl Request {
    /// Returns the calls of a case that takes place in this directory.
    pub(crate) fn new(case: &Case, root: &Path) -> Result<Self, BoxError> {
        let Call { op, repeat, parallel, apply, runs, .. } = &case.call;
        let runs = match runs {
            None => vec![Run::new(case, &Changes::default())?],
            Some(runs) => {
                runs.iter().map(|changes| Run::new(case, changes)).collect::<Result<_, _>>()?
            }
        };
        let at_least_one = |number: &Option<usize>| number.unwrap_or(1).max(1);
        Ok(Self {
            root: root.to_path_buf(),
            op: op.clone(),
            calls: at_least_one(repeat),
            tasks: at_least_one(parallel),
            apply: at_least_one(apply),
            runs,
        })
    }
}

impl Run {
    fn new(case: &Case, changes: &Changes) -> Result<Self, BoxError> {
        let args = overlaid(&case.call.args, &changes.args);
        let context = overlaid(&case.context, &changes.context);
        Ok(Self { args, context: parse(Value::Object(context), "context")? })
    }
}

fn overlaid(base: &Map<String, Value>, changes: &Map<String, Value>) -> Map<String, Value> {
    let all = base.iter().chain(changes);
    all.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// Makes the calls in this process.
pub(crate) fn make_calls(request: &Request) -> Result<Outcomes, BoxError> {
    request.runs.iter().map(|run| make_run(request, run)).collect()
}

fn make_run(request: &Request, run: &Run) -> Result<Vec<Value>, BoxError> {
    let scene = Scene::new(&request.root, run.context.clone(), request.apply)?;
    let call = || operations::perform(&request.op, &run.args, &scene);
    side_by_side(request.calls, request.tasks, call).into_iter().collect()
}

/// Calls at least so often, from so many threads that start together.
fn side_by_side<T: Send>(calls: usize, tasks: usize, call: impl Fn() -> T + Sync) -> Vec<T> {
    let (share, start) = (calls.div_ceil(tasks), Barrier::new(tasks));
    let work = || {
        start.wait();
        (0..share).map(|_| call()).collect::<Vec<_>>()
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..tasks).map(|_| scope.spawn(work)).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, Vec<T>>| {
            worker.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        workers.into_iter().flat_map(join).collect()
    })
}
