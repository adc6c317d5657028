//! Metadata is ordered by key, and a clone is a value of its own.

use brute_core::Meta;
use serde_json::json;

#[test]
fn a_change_is_not_seen_by_a_clone() {
    let mut meta = Meta::default();
    meta.set("mode", json!("plan"));
    let kept = meta.clone();
    meta.set("mode", json!("build"));
    assert_eq!(**kept.get("mode").unwrap(), json!("plan"));
    assert_eq!(**meta.get("mode").unwrap(), json!("build"));
    assert!(meta.get("other").is_none());
}

#[test]
fn it_is_written_as_an_object_ordered_by_key() {
    let mut meta = Meta::default();
    for key in ["z", "a", "m"] {
        meta.set(key, json!(null));
    }
    assert!(meta.iter().map(|(key, _)| key).eq(["a", "m", "z"]));
    let text = serde_json::to_string(&meta).unwrap();
    assert_eq!(text, r#"{"a":null,"m":null,"z":null}"#);
    assert_eq!(serde_json::from_str::<Meta>(&text).unwrap(), meta);
}
