//! The words of the modules: a folder a module, a file a family, and overlays on top.

use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, LazyLock},
};

use include_dir::{Dir, include_dir};
use minijinja::{Environment, value::Value};

use crate::{
    BUILT_IN_TOOLS, Family, PromptError, PromptErrorKind,
    fields::names,
    normalise::normalise,
    plain, slots,
    template::{check_depth, checked, environment, failure},
    text_file::{Outcome, TextFile},
    tool_lines,
    variables::Variables,
};

static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/text");
static SHIPPED: LazyLock<Texts> = LazyLock::new(|| Texts::build(embedded_files(), Vec::new(), []));

/// The words of all modules, looked up by module and family.
///
/// The words that a module has for a family stand in `<module>/<family>.txt`, else in
/// `<module>/default.txt`; a module without either says nothing. A clone costs one reference
/// count.
///
/// # Example
///
/// ```
/// use brute_prompts::Texts;
///
/// let texts = Texts::shipped().with([("identity/default.txt", "You are Rex.")])?;
/// assert_eq!(texts.source("identity", "anthropic"), Some("identity/default.txt"));
/// assert_eq!(texts.source("git_safety", "anthropic"), Some("text/git_safety/default.txt"));
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
#[derive(Clone)]
pub struct Texts(Arc<Library>);

struct Library {
    files: Vec<SourceFile>,
    /// What lies below an overlay: nobody's words any more, but there to be included.
    shadowed: Vec<SourceFile>,
    modules: BTreeMap<Arc<str>, BTreeMap<String, TextFile>>,
    engine: Environment<'static>,
}

/// One text as it was read.
#[derive(Clone, Debug)]
pub(crate) struct SourceFile {
    pub(crate) module: Arc<str>,
    pub(crate) family: String,
    /// Where it comes from, which is also the name of its template.
    pub(crate) label: Arc<str>,
    pub(crate) source: Arc<str>,
}

impl Texts {
    /// Returns the words that ship with this crate.
    pub fn shipped() -> Self {
        SHIPPED.clone()
    }

    /// Lays words over these: paths of the form `<module>/<family>.txt`, each with its text.
    ///
    /// A module that is named here loses all the words it had before. Line ends become LF, and a byte
    /// order mark goes.
    ///
    /// # Errors
    ///
    /// Fails where a path has another form, and where a text is not a valid template.
    pub fn with<P, T>(&self, files: impl IntoIterator<Item = (P, T)>) -> Result<Self, PromptError>
    where
        P: AsRef<str>,
        T: Into<Arc<str>>,
    {
        let files = files.into_iter().map(|(path, text)| source_file(path.as_ref(), &text.into()));
        self.overlaid(&[], &files.collect::<Result<Vec<_>, _>>()?)
    }

    /// Returns the names of all modules that have a folder, sorted.
    pub fn modules(&self) -> impl Iterator<Item = &str> {
        self.0.modules.keys().map(|name| &**name)
    }

    /// Returns true where the module has a folder.
    pub fn contains(&self, module: &str) -> bool {
        self.0.modules.contains_key(module)
    }

    /// Returns where the words of the module for the family come from.
    pub fn source(&self, module: &str, family: &str) -> Option<&str> {
        let file = file_for(self.0.modules.get(module)?, family)?;
        Some(&file.label)
    }

    /// Returns a file with words of the module.
    pub(crate) fn any_file(&self, module: &str) -> Option<&str> {
        self.labels(module).next()
    }

    /// Returns true where a text names a file of the module, to include it.
    pub(crate) fn is_taken_in(&self, module: &str) -> bool {
        self.labels(module).any(|label| self.0.files.iter().any(|file| file.source.contains(label)))
    }

    fn labels(&self, module: &str) -> impl Iterator<Item = &str> {
        let files = self.0.modules.get(module).into_iter().flat_map(BTreeMap::values);
        files.map(|file| &*file.label)
    }

    /// Lays files over these, in place of all words of their modules and of `modules`.
    pub(crate) fn overlaid(
        &self,
        modules: &[Arc<str>],
        files: &[SourceFile],
    ) -> Result<Self, PromptError> {
        for file in files {
            check_depth(&file.label, &tool_lines::tie(&file.source))?;
        }
        let is_shadowed = |name: &str| {
            modules.iter().any(|module| **module == *name)
                || files.iter().any(|file| *file.module == *name)
        };
        let old = self.0.files.iter().cloned();
        let (mut shadowed, mut kept): (Vec<_>, Vec<_>) =
            old.partition(|file| is_shadowed(&file.module));
        shadowed.extend_from_slice(&self.0.shadowed);
        kept.extend_from_slice(files);
        let folders = self.0.modules.keys().chain(modules);
        let texts = Self::build(kept, shadowed, folders.cloned());
        for file in files {
            let template = texts.0.engine.get_template(&file.label);
            let template = template.map_err(|error| texts.explain(&error))?;
            slots::check(&file.module, &file.label, &template)?;
        }
        Ok(texts)
    }

    /// Renders the words of the module, or returns nothing where it says nothing.
    pub(crate) fn render(
        &self,
        module: &str,
        variables: &Arc<Variables>,
    ) -> Result<Outcome, PromptError> {
        let Some(file) = self.file(module, variables)? else { return Ok(None) };
        if let Some(outcome) = file.kept(variables.ctx()) {
            return Ok(outcome);
        }
        variables.take_looks();
        let text = self.render_file(file, variables)?;
        Ok(file.keep(variables.ctx(), variables.take_looks(), text))
    }

    /// Renders the words of the module for facts that come only once, and so are not kept.
    pub(crate) fn render_once(
        &self,
        module: &str,
        variables: &Arc<Variables>,
    ) -> Result<Option<Arc<str>>, PromptError> {
        let file = self.file(module, variables)?;
        file.map_or(Ok(None), |file| self.render_file(file, variables))
    }

    /// Returns the file with the words of the module, or nothing where it has none.
    fn file(&self, module: &str, variables: &Variables) -> Result<Option<&TextFile>, PromptError> {
        let Some(files) = self.0.modules.get(module) else {
            return Err(unknown_module(module).with_known(self.modules()));
        };
        let family = variables.ctx().family.as_ref().map_or("default", Family::name);
        Ok(file_for(files, family))
    }

    fn render_file(
        &self,
        file: &TextFile,
        variables: &Arc<Variables>,
    ) -> Result<Option<Arc<str>>, PromptError> {
        let template = self.0.engine.get_template(&file.label);
        let root = Value::from_dyn_object(variables.clone());
        let rendered = template.and_then(|template| template.render_with_spans(root));
        let (text, spans) = rendered.map_err(|error| self.explain(&error))?;
        let text = checked(&file.label, text)?;
        Ok(file.finish(&text, &spans).map(Arc::from))
    }

    fn explain(&self, error: &minijinja::Error) -> PromptError {
        let error = failure(error);
        match error.kind() {
            PromptErrorKind::Undefined if names_tool(&error) => error.with_known(BUILT_IN_TOOLS),
            PromptErrorKind::Undefined => error.with_known(names()),
            PromptErrorKind::MissingTemplate => {
                let all = self.0.shadowed.iter().chain(&self.0.files);
                error.with_known(all.map(|file| &*file.label))
            }
            _ => error,
        }
    }

    /// Sorts files into folders; a folder without a file belongs to a module that says nothing.
    fn build(
        files: Vec<SourceFile>,
        shadowed: Vec<SourceFile>,
        folders: impl IntoIterator<Item = Arc<str>>,
    ) -> Self {
        let all = || shadowed.iter().chain(&files);
        let empty = folders.into_iter().map(|module| (module, BTreeMap::new()));
        let mut modules: BTreeMap<Arc<str>, BTreeMap<_, _>> = empty.collect();
        for file in &files {
            let texts = modules.entry(file.module.clone()).or_default();
            texts.insert(file.family.clone(), TextFile::new(&file.label, containers(file, all())));
        }
        let engine = engine(all());
        Self(Arc::new(Library { files, shadowed, modules, engine }))
    }
}

impl Default for Texts {
    fn default() -> Self {
        Self::shipped()
    }
}

impl fmt::Debug for Texts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Texts").field(&self.0.modules.keys()).finish()
    }
}

fn names_tool(error: &PromptError) -> bool {
    error.variable().is_some_and(|variable| variable.starts_with("tools."))
}

/// Returns the family's own words, else the default ones.
fn file_for<'a>(files: &'a BTreeMap<String, TextFile>, family: &str) -> Option<&'a TextFile> {
    files.get(family).or_else(|| files.get("default"))
}

/// Returns the error about a module that does not exist.
pub(crate) fn unknown_module(name: &str) -> PromptError {
    PromptError::new(PromptErrorKind::UnknownModule, format!("there is no module `{name}`"))
}

/// Returns the names of the tags that may stand around values: those that the text closes, and
/// where it takes in others, those of all.
fn containers<'a>(file: &SourceFile, all: impl Iterator<Item = &'a SourceFile>) -> Vec<String> {
    let takes_in = |word: &&str| file.source.contains(*word);
    if !["include", "extends", "import"].iter().any(takes_in) {
        return plain::closing_tags(&file.source);
    }
    all.flat_map(|file| plain::closing_tags(&file.source)).collect()
}

/// Returns an engine that compiles each text when it is first asked for.
fn engine<'a>(all: impl Iterator<Item = &'a SourceFile>) -> Environment<'static> {
    let source = |file: &SourceFile| (file.label.clone(), file.source.clone());
    let sources: BTreeMap<Arc<str>, Arc<str>> = all.map(source).collect();
    let mut engine = environment();
    engine.set_loader(move |name| {
        Ok(sources.get(name).map(|text| tool_lines::tie(text).into_owned()))
    });
    engine
}

fn embedded_files() -> Vec<SourceFile> {
    let files = EMBEDDED.dirs().flat_map(Dir::files);
    let read = files.filter_map(|file| {
        let path = file.path().to_str()?.replace('\\', "/");
        let source = source_file(&path, file.contents_utf8()?).ok()?;
        Some(SourceFile { label: format!("text/{path}").into(), ..source })
    });
    read.collect()
}

/// Reads `<module>/<family>.txt`.
///
/// Words are lines that come and go with their tools, so they have one kind of line end; and a byte
/// order mark would stand in the middle of the prompt.
pub(crate) fn source_file(path: &str, source: &str) -> Result<SourceFile, PromptError> {
    let parts = path.strip_suffix(".txt").and_then(|path| path.split_once('/'));
    let Some((module, family)) = parts.filter(|parts| is_name(parts.0) && is_name(parts.1)) else {
        let message = "the path of a text is not `<module>/<family>.txt`";
        return Err(PromptError::new(PromptErrorKind::InvalidName, message).in_file(path));
    };
    let (family, label, source) = (family.to_owned(), path.into(), normalise(source).into());
    Ok(SourceFile { module: module.into(), family, label, source })
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\'])
}
