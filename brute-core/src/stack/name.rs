//! The name of a layer, from its type.

use std::any;

/// Names a layer as a reader would: `tower::timeout::TimeoutLayer` is `(tower) Timeout`.
pub(crate) fn of_type<T>() -> String {
    of_type_name(any::type_name::<T>())
}

fn of_type_name(type_name: &str) -> String {
    let (path, parameters) = match type_name.split_once('<') {
        Some((path, rest)) => (path, rest.strip_suffix('>').unwrap_or(rest)),
        None => (type_name, ""),
    };
    let last = path.rsplit("::").next().unwrap_or(path);
    match last {
        "FromFnLayer" => of_function(parameters),
        _ => format!("{}{}", origin(path), short(last)),
    }
}

/// Leaves out the word that all layers have in common.
fn short(name: &str) -> &str {
    name.strip_suffix("Layer").filter(|short| !short.is_empty()).unwrap_or(name)
}

/// Marks what comes from tower.
fn origin(path: &str) -> &'static str {
    if path.starts_with("tower::") || path.starts_with("tower_layer::") { "(tower) " } else { "" }
}

/// Names a function by its last segment, a closure by the function it stands in.
fn of_function(path: &str) -> String {
    let is_closure = path.ends_with('}');
    // What follows the first `<` are parameters, unless it is a method of a trait.
    let plain = path.split('<').next().filter(|plain| !plain.is_empty()).unwrap_or(path);
    let mut segments = plain.rsplit("::").filter(|segment| !segment.starts_with('{'));
    let name = segments.next().unwrap_or(path);
    if is_closure { format!("from_fn in {name}") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::of_type_name;

    #[test]
    fn names_are_short_and_say_where_a_layer_comes_from() {
        for (type_name, name) in [
            ("brute_middleware::max_steps::MaxStepsLayer", "MaxSteps"),
            ("tower::timeout::layer::TimeoutLayer", "(tower) Timeout"),
            ("tower::retry::layer::RetryLayer<app::Policy<u8>>", "(tower) Retry"),
            ("brute_core::from_fn::FromFnLayer<app::sign>", "sign"),
            ("brute_core::from_fn::FromFnLayer<app::main::{{closure}}>", "from_fn in main"),
            (
                "brute_core::from_fn::FromFnLayer<app::main::{{closure}}::{{closure}}>",
                "from_fn in main",
            ),
            ("brute_core::from_fn::FromFnLayer<app::sign<alloc::vec::Vec<u8>>>", "sign"),
            ("brute_core::from_fn::FromFnLayer<<app::Pen as app::Signs>::sign>", "sign"),
            ("brute_core::from_fn::FromFnLayer<app::run<u8>::{{closure}}>", "from_fn in run"),
            ("app::Layer", "Layer"),
            ("brute_core::models::scripted::ScriptedModel", "ScriptedModel"),
        ] {
            assert_eq!(of_type_name(type_name), name);
        }
    }
}
