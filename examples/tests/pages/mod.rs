//! What tests of pages share: they read a page, and find in the code what it names.

use std::{fs, path::Path};

/// Returns a file of the workspace.
pub(crate) fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns what stands between backticks, in order, outside blocks of code.
pub(crate) fn code_spans(page: &str) -> Vec<&str> {
    let prose = page.split("```").step_by(2);
    prose.flat_map(|text| text.split('`').skip(1).step_by(2)).collect()
}

/// Tells whether a span is the name of a file in the code.
pub(crate) fn is_source_file(span: &str) -> bool {
    span.contains('/') && Path::new(span).extension().is_some_and(|extension| extension == "rs")
}

/// Tells whether a text holds a test of this name: a function, a line of a macro, or a named cell.
pub(crate) fn holds_test(text: &str, name: &str) -> bool {
    [format!("fn {name}("), format!("\n    {name}: "), format!("\"{name}\"")]
        .iter()
        .any(|form| text.contains(form.as_str()))
}
