//! Messages survive JSON unharmed, and say what is in them.

use std::{fmt::Debug, sync::Arc};

use brute_core::{
    Arguments, Media, MediaSource, Message, MessageId, Origin, Part, Reasoning, Role, Section,
    StopReason, Text, ToolCall, ToolResult, Usage, Zone,
};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Any JSON value, with the numbers and texts that round trips like to harm.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any_float().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((any_key(), inner), 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Member names; those that mean something to the format of a message are likely.
fn any_key() -> impl Strategy<Value = String> {
    prop_oneof!["(type|native|text|id|object)", any::<String>()]
}

fn any_float() -> impl Strategy<Value = f64> {
    let odd = [-0.0, 0.1 + 0.2, 1e-320, f64::MAX, f64::MIN_POSITIVE, 9_007_199_254_740_993.0];
    prop_oneof![proptest::num::f64::NORMAL | proptest::num::f64::SUBNORMAL, select(odd)]
}

fn select<T: Clone + Debug + 'static>(from: impl Into<Vec<T>>) -> impl Strategy<Value = T> {
    prop::sample::select(from.into())
}

fn any_text() -> impl Strategy<Value = Arc<str>> {
    any::<String>().prop_map(Arc::from)
}

fn any_native() -> impl Strategy<Value = Option<Arc<Value>>> {
    prop::option::of(any_json().prop_map(Arc::new))
}

fn any_media() -> impl Strategy<Value = Media> {
    let source = prop_oneof![
        any_text().prop_map(MediaSource::Base64),
        any_text().prop_map(MediaSource::Url)
    ];
    (any_text(), source).prop_map(|(mime, source)| Media { mime, source })
}

fn any_call() -> impl Strategy<Value = ToolCall> {
    let arguments =
        prop_oneof![any_json().prop_map(Arguments::from), any_text().prop_map(Arguments::Invalid)];
    (any_text(), any_text(), arguments, any_native())
        .prop_map(|(id, name, arguments, native)| ToolCall { id, name, arguments, native })
}

fn any_result() -> impl Strategy<Value = ToolResult> {
    let media = prop::collection::vec(any_media(), 0..3);
    (any_text(), any_text(), media, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(call_id, text, media, is_error, truncated, pinned)| ToolResult {
            call_id,
            text,
            media,
            is_error,
            truncated,
            pinned,
        },
    )
}

fn any_part() -> impl Strategy<Value = Part> {
    let origin = select([Origin::Authored, Origin::Generated]);
    let zone = select([Zone::Static, Zone::Session, Zone::Dynamic]);
    prop_oneof![
        (any_text(), origin, any_native()).prop_map(|(text, origin, native)| Part::Text(Text {
            text,
            origin,
            native
        })),
        (any_text(), zone, any_text()).prop_map(|(name, zone, text)| Part::Section(Section {
            name,
            zone,
            text
        })),
        any_media().prop_map(Part::Media),
        (any_text(), any_native())
            .prop_map(|(text, native)| Part::Reasoning(Reasoning { text, native })),
        any_call().prop_map(Part::ToolCall),
        any_result().prop_map(Part::ToolResult),
        any_json().prop_map(|native| Part::Provider { native: Arc::new(native) }),
    ]
}

fn any_usage() -> impl Strategy<Value = Usage> {
    any::<[u64; 6]>().prop_map(
        |[input, output, cache_read, cache_write, cache_write_1h, reasoning]| Usage {
            cache_write_1h,
            input,
            output,
            cache_read,
            cache_write,
            reasoning,
        },
    )
}

fn any_stop() -> impl Strategy<Value = StopReason> {
    select([
        StopReason::EndTurn,
        StopReason::ToolCalls,
        StopReason::MaxTokens,
        StopReason::StopSequence,
        StopReason::Refusal,
        StopReason::MaxSteps,
        StopReason::Budget,
        StopReason::NeedsApproval,
        StopReason::Cancelled,
    ])
}

fn any_message() -> impl Strategy<Value = Message> {
    let role = select([Role::System, Role::Developer, Role::User, Role::Assistant, Role::Tool]);
    let parts = prop::collection::vec(any_part(), 0..5);
    let (usage, stop) = (prop::option::of(any_usage()), prop::option::of(any_stop()));
    (any::<u64>(), role, parts, usage, stop).prop_map(|(id, role, parts, usage, stop)| Message {
        provenance: None,
        id: MessageId(id),
        role,
        parts,
        usage,
        stop,
    })
}

proptest! {
    #[test]
    fn a_message_comes_back_from_json_as_it_went_in(message in any_message()) {
        let text = serde_json::to_string(&message).unwrap();
        let back: Message = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(&back, &message);
        // Equality cannot tell -0.0 from 0.0 and ignores the order of members; the text can.
        prop_assert_eq!(serde_json::to_string(&back).unwrap(), text);
    }

    #[test]
    fn a_message_comes_back_from_a_json_value_and_from_bytes_too(message in any_message()) {
        let value = serde_json::to_value(&message).unwrap();
        prop_assert_eq!(&serde_json::from_value::<Message>(value).unwrap(), &message);
        let bytes = serde_json::to_vec_pretty(&message).unwrap();
        prop_assert_eq!(&serde_json::from_reader::<_, Message>(&*bytes).unwrap(), &message);
    }

    #[test]
    fn arguments_are_an_object_or_the_text_as_it_was(text in any::<String>()) {
        match Arguments::parse(&text) {
            Arguments::Object(object) => prop_assert!(object.is_object()),
            Arguments::Invalid(raw) => prop_assert_eq!(&*raw, text.as_str()),
        }
    }

    #[test]
    fn arguments_that_are_an_object_are_parsed_whole(value in any_json()) {
        let arguments = Arguments::parse(&value.to_string());
        prop_assert_eq!(arguments.object(), value.is_object().then_some(&value));
    }
}

#[test]
fn a_part_that_only_the_provider_knows_is_kept_as_it_came() {
    let native = json!({ "type": "server_tool_use", "id": "srv_1", "input": { "q": [1.0, null] } });
    let message =
        Message::new(Role::Assistant, vec![Part::Provider { native: Arc::new(native.clone()) }]);
    let value = serde_json::to_value(&message).unwrap();
    assert_eq!(value["parts"][0], json!({ "type": "provider", "native": native }));
    assert_eq!(serde_json::from_value::<Message>(value).unwrap(), message);
}

#[test]
fn what_is_not_set_is_not_written() {
    let text = serde_json::to_string(&Message::user("hi")).unwrap();
    assert_eq!(text, r#"{"role":"user","parts":[{"type":"text","text":"hi"}]}"#);
}

#[test]
fn a_part_of_an_unknown_type_is_an_error_that_names_it() {
    let text = r#"{"role":"user","parts":[{"type":"hologram","text":"hi"}]}"#;
    let error = serde_json::from_str::<Message>(text).unwrap_err().to_string();
    assert!(error.contains("hologram"), "{error}");
}

#[test]
fn blank_arguments_stand_for_an_empty_object() {
    for text in ["", " ", "\n\t"] {
        assert_eq!(Arguments::parse(text), Arguments::from(json!({})));
    }
}

#[test]
fn on_the_wire_arguments_are_always_an_object() {
    for text in ["[1]", "\"text\"", "null", "{\"a\":", "nonsense"] {
        let arguments = Arguments::parse(text);
        assert_eq!(*arguments.to_wire(), json!({ "invalid_arguments": text }));
    }
    assert_eq!(*Arguments::parse(r#"{"a": 1}"#).to_wire(), json!({ "a": 1 }));
}

#[test]
fn a_value_that_is_no_object_makes_invalid_arguments() {
    assert_eq!(Arguments::from(json!([1, 2])), Arguments::Invalid("[1,2]".into()));
    assert_eq!(Arguments::from(Value::Null), Arguments::Invalid("null".into()));
}

#[test]
fn arguments_nest_no_deeper_than_a_kept_session_can_be_read_again() {
    let nested = |depth: usize| format!("{{\"a\":{}{}}}", "[".repeat(depth), "]".repeat(depth));
    assert!(Arguments::parse(&nested(50)).object().is_some());
    for depth in [100, 126, 127, 5_000] {
        let call = ToolCall::new("c", "t", Arguments::parse(&nested(depth)));
        let message = Message::new(Role::Assistant, vec![Part::ToolCall(call)]);
        let inside = json!({ "brute_session": 1, "messages": [message] }).to_string();
        serde_json::from_str::<Value>(&inside).unwrap();
    }
}

#[test]
fn text_joins_texts_as_they_are_and_sections_by_a_blank_line() {
    let section = |name: &str, text: &str| {
        Part::Section(Section { name: name.into(), zone: Zone::Static, text: text.into() })
    };
    let message = Message::new(Role::System, vec![section("a", "One."), section("b", "Two.")]);
    assert_eq!(message.text(), "One.\n\nTwo.");
    let message = Message::new(Role::User, vec![Part::text("He"), Part::generated("llo")]);
    assert_eq!(message.text(), "Hello");
}

#[test]
fn parts_are_found_by_kind_in_order() {
    let call = |id: &str| Part::ToolCall(ToolCall::new(id, "t", json!({})));
    let result = |id: &str| Part::ToolResult(ToolResult::ok(id, "ok"));
    let message = Message::new(
        Role::Assistant,
        vec![call("1"), Part::text("x"), result("3"), call("2"), result("4")],
    );
    assert!(message.tool_calls().map(|call| &*call.id).eq(["1", "2"]));
    assert!(message.tool_results().map(|result| &*result.call_id).eq(["3", "4"]));
    assert!(message.has_tool_calls() && !Message::user("x").has_tool_calls());
}

#[test]
fn white_space_and_thoughts_are_blank_all_else_is_not() {
    let thought = Part::Reasoning(Reasoning { text: "hm".into(), native: None });
    let call = Part::ToolCall(ToolCall::new("1", "t", json!({})));
    let media = Media { mime: "image/png".into(), source: MediaSource::Url("x".into()) };
    for (parts, is_blank) in [
        (vec![], true),
        (vec![Part::text(" \n\u{a0}")], true),
        (vec![thought.clone(), Part::text("")], true),
        (vec![thought, Part::text("a")], false),
        (vec![call], false),
        (vec![Part::Media(media)], false),
        (vec![Part::Provider { native: Arc::new(Value::Null) }], false),
    ] {
        assert_eq!(Message::new(Role::User, parts.clone()).is_blank(), is_blank, "{parts:?}");
    }
}

#[test]
fn every_constructor_has_its_role_and_no_id() {
    let result = Message::tool_result(ToolResult::error("1", "no"));
    for (message, role) in [
        (Message::system("x"), Role::System),
        (Message::developer("x"), Role::Developer),
        (Message::user("x"), Role::User),
        (Message::assistant("x"), Role::Assistant),
        (result, Role::Tool),
    ] {
        assert_eq!(message.role, role);
        assert!(!message.id.is_given());
    }
}
