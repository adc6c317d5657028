//! Where events go; a handler can neither break nor slow the turn.

mod queue;

use std::{
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread,
};

use self::queue::queue;
use crate::Event;

type Handler = Arc<dyn Fn(Event) + Send + Sync>;

/// The place that events of a turn are sent to; a cheap no-op by default.
#[derive(Clone, Default)]
pub struct Events(Option<Handler>);

impl Events {
    /// Sends events to a handler on a thread of its own.
    ///
    /// The turn never waits for it. What does not fit into the queue of a slow handler is dropped,
    /// and the handler is told with [`Event::Missed`]. The thread ends with the last clone.
    pub fn to(handler: impl Fn(Event) + Send + 'static) -> Self {
        let (sender, receiver) = queue();
        let listen = move || receiver.for_each(|event| guarded(|| handler(event)));
        match thread::Builder::new().name("brute-events".into()).spawn(listen) {
            Ok(_) => Self::inline(move |event| sender.send(event)),
            Err(_) => Self::default(),
        }
    }

    /// Sends events to a function that is called at once, where the event happens.
    ///
    /// For functions that return quickly, such as a push into a list. A panic in it is caught.
    pub fn inline(handler: impl Fn(Event) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(handler)))
    }

    /// Sends each event to both places, to `self` first.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self.0, other.0) {
            (Some(first), Some(second)) => Self::inline(move |event| {
                guarded(|| first(event.clone()));
                guarded(|| second(event));
            }),
            (first, second) => Self(first.or(second)),
        }
    }

    /// Tells whether anybody listens.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Sends an event, which is made only if somebody listens.
    #[inline]
    pub fn emit(&self, event: impl FnOnce() -> Event) {
        if let Some(handler) = &self.0 {
            let event = event();
            guarded(|| handler(event));
        }
    }
}

/// Keeps the panic of a handler away from the turn.
fn guarded(call: impl FnOnce()) {
    // The panic hook has already reported it, and the turn has nothing to do with it.
    drop(catch_unwind(AssertUnwindSafe(call)));
}

impl fmt::Debug for Events {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_on() { "Events(on)" } else { "Events(off)" })
    }
}
