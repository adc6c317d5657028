//! Where two values differ.

use serde_json::Value;

/// Names the first place at which what was recorded and what is asked differ, and both.
pub(super) fn first_difference(
    recorded: Option<&Value>,
    asked: Option<&Value>,
    place: &str,
) -> Option<String> {
    match (recorded, asked) {
        _ if recorded == asked => None,
        (Some(Value::Object(one)), Some(Value::Object(other))) => {
            one.keys().chain(other.keys()).find_map(|key| {
                first_difference(one.get(key), other.get(key), &format!("{place}/{key}"))
            })
        }
        (Some(Value::Array(one)), Some(Value::Array(other))) => (0..one.len().max(other.len()))
            .find_map(|index| {
                first_difference(one.get(index), other.get(index), &format!("{place}/{index}"))
            }),
        _ => Some(format!("{place}: recorded {}, asked {}", shown(recorded), shown(asked))),
    }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), Value::to_string)
}
