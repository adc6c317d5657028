//! Reads everything that the libraries write into their logs, and keeps what shows the key.

use std::{
    fmt::Debug,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};

use super::kit::KEY;

static LINES: AtomicUsize = AtomicUsize::new(0);
static LEAKS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Reads from now on.
pub(crate) fn read_logs() {
    tracing::subscriber::set_global_default(Spy).expect("somebody else reads the logs");
}

/// Asserts that there were logs, and that none of them showed the key.
pub(crate) fn assert_hides_key() {
    assert!(LINES.load(Ordering::Relaxed) > 0, "nothing was logged");
    let leaks = LEAKS.lock().unwrap_or_else(PoisonError::into_inner);
    assert!(leaks.is_empty(), "the key stands in the logs: {leaks:#?}");
}

struct Spy;

impl Visit for Spy {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        LINES.fetch_add(1, Ordering::Relaxed);
        let text = format!("{field}: {value:?}");
        if text.contains(KEY) {
            LEAKS.lock().unwrap_or_else(PoisonError::into_inner).push(text);
        }
    }
}

impl Subscriber for Spy {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        attributes.record(&mut Spy);
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, record: &Record<'_>) {
        record.record(&mut Spy);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut Spy);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}
