//! Names of tools.

use brute_prompts::{BUILT_IN_TOOLS, ToolNames};

#[test]
fn all_tools_go_by_their_own_names() {
    let all = ToolNames::all();
    assert_eq!(all.iter().count(), BUILT_IN_TOOLS.len());
    assert!(BUILT_IN_TOOLS.iter().all(|name| all.get(name) == Some(*name)));
    assert_eq!(ToolNames::default(), all);
}

#[test]
fn no_tools_means_none() {
    assert!(ToolNames::none().is_empty());
    assert!(BUILT_IN_TOOLS.iter().all(|name| ToolNames::none().get(name).is_none()));
}

#[test]
fn names_are_equal_whatever_their_order() {
    let one = ToolNames::of([("read", "r"), ("edit", "e")]);
    assert_eq!(one, ToolNames::of([("edit", "e"), ("read", "r")]));
    assert_ne!(one, ToolNames::of([("edit", "e"), ("read", "x")]));
    assert_ne!(one, ToolNames::only(["read", "edit"]));
    assert_eq!(one.iter().collect::<Vec<_>>(), [("edit", "e"), ("read", "r")]);
}
