//! The tools on offer, in a fixed order.

use std::{collections::BTreeMap, fmt, sync::Arc, task::Poll};

use futures::future::BoxFuture;
use tower::{Layer, Service, ServiceExt};

use super::{Tool, ToolOutput, ToolRequest, ToolSpec, name};
use crate::{Arguments, BoxTool, Error, ErrorKind, ToolService};

/// The tools on offer, ordered by name; a clone is one reference count.
#[derive(Clone, Default)]
pub struct Toolbox(Option<Arc<BTreeMap<Arc<str>, ToolEntry>>>);

/// A tool on offer: its description and the service that runs it.
#[derive(Clone)]
pub struct ToolEntry {
    spec: Arc<ToolSpec>,
    runner: Runner,
}

#[derive(Clone)]
enum Runner {
    Plain(Arc<dyn Tool>),
    Layered(BoxTool),
}

impl Toolbox {
    /// Adds a tool.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Invalid`] if a tool of that name is already there, naming both, if
    /// the name is other than 1 to 64 ASCII letters, digits, `_` and `-`, or if the schema of its
    /// arguments is not that of an object.
    pub fn with(self, tool: impl Tool) -> Result<Self, Error> {
        self.with_shared(Arc::new(tool))
    }

    /// Adds a tool that is shared with others.
    ///
    /// # Errors
    /// As for [`with`](Self::with).
    pub fn with_shared(self, tool: Arc<dyn Tool>) -> Result<Self, Error> {
        self.add(tool.spec(), tool)
    }

    /// Adds a tool under another name than its own, such as one that providers take; prompt texts
    /// follow.
    ///
    /// # Errors
    /// As for [`with`](Self::with).
    pub fn with_named(self, name: &str, tool: impl Tool) -> Result<Self, Error> {
        let mut spec = tool.spec();
        call_it(&mut spec, name);
        self.add(spec, Arc::new(tool))
    }

    fn add(mut self, spec: ToolSpec, tool: Arc<dyn Tool>) -> Result<Self, Error> {
        let spec = Arc::new(spec);
        name::check(&spec.name)?;
        if let Some(other) = self.get(&spec.name) {
            return Err(duplicate(other.spec(), &spec));
        }
        if spec.parameters.get("type").is_none_or(|kind| kind != "object") {
            return Err(no_object(&spec));
        }
        self.insert(ToolEntry { spec, runner: Runner::Plain(tool) });
        Ok(self)
    }

    /// Offers a tool under another name; prompt texts follow.
    ///
    /// # Errors
    /// Fails with [`ErrorKind::Invalid`] if there is no tool of that name, or if the new name is
    /// taken or is none for a tool; see [`with`](Self::with).
    pub fn rename(mut self, from: &str, to: &str) -> Result<Self, Error> {
        name::check(to)?;
        let mut entry = self.take(from)?;
        call_it(Arc::make_mut(&mut entry.spec), to);
        if let Some(other) = self.get(to) {
            return Err(duplicate(other.spec(), &entry.spec));
        }
        self.insert(entry);
        Ok(self)
    }

    /// Puts a tower layer around one tool.
    ///
    /// # Errors
    /// Fails if there is no tool of that name.
    pub fn layer<L>(mut self, name: &str, layer: L) -> Result<Self, Error>
    where
        L: Layer<ToolEntry>,
        L::Service: ToolService,
    {
        let entry = self.take(name)?;
        let spec = entry.spec.clone();
        let service = layer.layer(entry).map_err(Error::wrap);
        self.insert(ToolEntry { spec, runner: Runner::Layered(BoxTool::new(service)) });
        Ok(self)
    }

    /// Keeps only the tools that pass; what is not on offer is not callable either.
    #[must_use]
    pub fn filter(self, keep: impl Fn(&ToolSpec) -> bool) -> Self {
        let Some(tools) = &self.0 else { return self };
        if tools.values().all(|entry| keep(&entry.spec)) {
            return self;
        }
        let kept = tools.iter().filter(|(_, entry)| keep(&entry.spec));
        Self(Some(Arc::new(kept.map(|(name, entry)| (name.clone(), entry.clone())).collect())))
    }

    /// Returns the tool of a name.
    pub fn get(&self, name: &str) -> Option<&ToolEntry> {
        self.0.as_ref()?.get(name)
    }

    /// Iterates over the descriptions, ordered by name.
    pub fn specs(&self) -> impl Iterator<Item = &ToolSpec> {
        self.0.iter().flat_map(|tools| tools.values()).map(ToolEntry::spec)
    }

    /// Returns the number of tools.
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |tools| tools.len())
    }

    /// Tells whether there are no tools.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn map(&mut self) -> &mut BTreeMap<Arc<str>, ToolEntry> {
        Arc::make_mut(self.0.get_or_insert_default())
    }

    fn insert(&mut self, entry: ToolEntry) {
        self.map().insert(entry.spec.name.clone(), entry);
    }

    fn take(&mut self, name: &str) -> Result<ToolEntry, Error> {
        let missing = || Error::new(ErrorKind::Invalid, unknown(name, self));
        self.get(name).ok_or_else(missing)?;
        self.map()
            .remove(name)
            .ok_or_else(|| Error::new(ErrorKind::Invalid, "the toolbox is empty"))
    }
}

/// Gives a tool a name; prompt texts know it by its first one.
fn call_it(spec: &mut ToolSpec, name: &str) {
    let first = std::mem::replace(&mut spec.name, name.into());
    spec.known_as.get_or_insert(first);
}

fn duplicate(first: &ToolSpec, second: &ToolSpec) -> Error {
    let describe = |spec: &ToolSpec| match &*spec.description {
        "" => format!("one known as {:?}", spec.known_name()),
        text => format!("{text:?}"),
    };
    let (name, first, second) = (&second.name, describe(first), describe(second));
    let message = format!(
        "two tools are named {name:?}: {first} and {second}; give one of them another name with `Toolbox::with_named`, or leave it out",
    );
    Error::new(ErrorKind::Invalid, message)
}

fn no_object(spec: &ToolSpec) -> Error {
    let ToolSpec { name, parameters, .. } = spec;
    let message = format!(
        "the arguments of the tool {name:?} are no object: its schema must say `\"type\": \"object\"`, it is {parameters}",
    );
    Error::new(ErrorKind::Invalid, message)
}

fn unknown(name: &str, toolbox: &Toolbox) -> String {
    let names: Vec<_> = toolbox.specs().map(|spec| &*spec.name).collect();
    match names.as_slice() {
        [] => format!("unknown tool {name:?}: no tools are on offer"),
        _ => format!("unknown tool {name:?}: the tools on offer are {}", names.join(", ")),
    }
}

impl ToolEntry {
    /// Returns the description of the tool.
    pub fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn run(self, request: ToolRequest) -> Result<ToolOutput, Error> {
        match self.runner {
            Runner::Layered(service) => service.oneshot(request).await,
            Runner::Plain(tool) => match &request.context.call.arguments {
                Arguments::Object(arguments) => tool.call(arguments, &request.context).await,
                Arguments::Invalid(raw) => Err(not_an_object(&self.spec, raw)),
            },
        }
    }
}

fn not_an_object(spec: &ToolSpec, raw: &str) -> Error {
    let complaint = match serde_json::from_str::<serde_json::Value>(raw) {
        Ok(value) if value.is_object() => "they nest too deeply".to_owned(),
        Ok(_) => "they are no json object".to_owned(),
        Err(error) => format!("they are no json: {error}"),
    };
    let message = format!(
        "invalid arguments for the tool {:?}: {complaint}; the tool did not run; its arguments have the schema {}",
        spec.name, spec.parameters,
    );
    Error::new(ErrorKind::Tool, message)
}

impl Service<ToolRequest> for ToolEntry {
    type Response = ToolOutput;
    type Error = Error;
    type Future = BoxFuture<'static, Result<ToolOutput, Error>>;

    fn poll_ready(&mut self, _: &mut std::task::Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: ToolRequest) -> Self::Future {
        Box::pin(self.clone().run(request))
    }
}

/// The innermost service of a tool stack: runs the tool that the request names.
#[derive(Clone, Copy, Debug, Default)]
pub struct Dispatch;

impl Service<ToolRequest> for Dispatch {
    type Response = ToolOutput;
    type Error = Error;
    type Future = BoxFuture<'static, Result<ToolOutput, Error>>;

    fn poll_ready(&mut self, _: &mut std::task::Context<'_>) -> Poll<Result<(), Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: ToolRequest) -> Self::Future {
        let Some(tool) = request.tool.take() else {
            let message = unknown(&request.context.call.name, &request.on_offer);
            return Box::pin(async { Err(Error::new(ErrorKind::Tool, message)) });
        };
        Box::pin(tool.run(request))
    }
}

impl fmt::Debug for Toolbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.specs().map(|spec| &spec.name)).finish()
    }
}

impl fmt::Debug for ToolEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ToolEntry").field(&self.spec.name).finish()
    }
}
