//! What has come of a call's arguments is shared, and stays as it was when it was told.

use std::sync::{Arc, Mutex};

use allocation_counter::measure;
use brute_core::{ArgumentsSoFar, Event, Events, StopReason, models::ReplyBuilder};

const PIECE: &str = "0123456789abcdef";

/// Streams so many pieces of one call to a listener that keeps all events; returns how many bytes
/// that took.
fn bytes_for(pieces: usize) -> u64 {
    let kept = Arc::new(Mutex::new(Vec::with_capacity(pieces)));
    let events = kept.clone();
    let mut builder =
        ReplyBuilder::new(Events::inline(move |event| events.lock().unwrap().push(event)));
    builder.call("1", "write");
    let spent = measure(|| {
        for _ in 0..pieces {
            builder.arguments("1", PIECE);
        }
    });
    assert_eq!(kept.lock().unwrap().len(), pieces);
    spent.bytes_total
}

#[test]
fn a_piece_costs_its_own_length_however_much_came_before() {
    let (few, many) = (bytes_for(500), bytes_for(8_000));
    let each = |bytes: u64, pieces: u64| bytes / pieces;
    assert!(each(many, 8_000) <= each(few, 500) * 5 / 4, "{few} bytes for 500, {many} for 8,000");
    assert!(each(many, 8_000) <= 8 * PIECE.len() as u64, "{many} bytes for 8,000 pieces");
}

#[test]
fn what_an_event_holds_stays_as_it_was_then() {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let events = kept.clone();
    let mut builder = ReplyBuilder::new(Events::inline(move |event| {
        if let Event::ToolArguments { so_far, .. } = event {
            events.lock().unwrap().push(so_far);
        }
    }));
    builder.call("1", "write");
    builder.call("2", "read");
    for (call, piece) in [("1", "{\"a\""), ("2", "{"), ("1", ": 1}"), ("2", "}")] {
        builder.arguments(call, piece);
    }
    builder.finish(StopReason::ToolCalls);
    let texts: Vec<_> = kept.lock().unwrap().iter().map(ArgumentsSoFar::text).collect();
    assert_eq!(texts, ["{\"a\"", "{", "{\"a\": 1}", "{}"]);
}

#[test]
fn two_that_go_on_from_one_place_do_not_mix() {
    let mut one = ArgumentsSoFar::from("{");
    let mut other = one.clone();
    one.push("}");
    other.push("\"é\"");
    other.push(": 1}");
    assert_eq!((one.text().as_str(), other.text().as_str()), ("{}", "{\"é\": 1}"));
    one.push(" ");
    assert_eq!(one, "{} ");
}

#[test]
fn they_read_and_compare_as_their_text() {
    let mut grown = ArgumentsSoFar::default();
    assert!(grown.is_empty());
    let empty = grown.clone();
    grown.push("{\"é\"");
    assert_eq!(grown, ArgumentsSoFar::from("{\"é\""));
    assert_ne!(grown, ArgumentsSoFar::from("{\"e\" "));
    assert_ne!(grown, empty);
    assert_eq!((grown.len(), empty.len()), (5, 0));
    assert_eq!((grown.to_string(), format!("{grown:?}")), ("{\"é\"".into(), r#""{\"é\"""#.into()));
}
