//! A model is named by its provider and its own name.

use brute_core::ModelId;

#[test]
fn both_names_can_be_read_and_are_shown_with_a_slash() {
    let model = ModelId::new("ollama", "qwen3:8b");
    assert_eq!((model.provider(), model.model()), ("ollama", "qwen3:8b"));
    assert_eq!(model.to_string(), "ollama/qwen3:8b");
}

#[test]
fn the_names_are_told_apart_where_the_shown_text_is_not() {
    assert_ne!(ModelId::new("a/b", "c"), ModelId::new("a", "b/c"));
    assert_eq!(ModelId::default(), ModelId::new("", ""));
}
