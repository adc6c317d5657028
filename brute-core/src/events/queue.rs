//! A queue that never blocks who sends, and tells who receives what did not fit.

use std::{
    collections::VecDeque,
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
};

use crate::Event;

/// How many events may wait for a slow handler.
const WAITING: usize = 4096;

#[derive(Default)]
struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Event>,
    /// How many events are missing behind the last one that waits.
    missed: u64,
    is_closed: bool,
}

/// The end that events are put in; the queue is closed when it is dropped.
pub(super) struct Sender(Arc<Queue>);

/// The end that events come out of, as an iterator that waits for the next one.
pub(super) struct Receiver(Arc<Queue>);

pub(super) fn queue() -> (Sender, Receiver) {
    let queue = Arc::new(Queue::default());
    (Sender(queue.clone()), Receiver(queue))
}

impl Sender {
    /// Puts an event in, or counts it as missed where there is no room.
    pub(super) fn send(&self, event: Event) {
        self.0.lock().put(event);
        self.0.changed.notify_one();
    }
}

impl Drop for Sender {
    fn drop(&mut self) {
        self.0.lock().is_closed = true;
        self.0.changed.notify_one();
    }
}

impl Iterator for Receiver {
    type Item = Event;

    fn next(&mut self) -> Option<Event> {
        let mut state = self.0.lock();
        loop {
            if let Some(event) = state.take() {
                return Some(event);
            }
            if state.is_closed {
                return None;
            }
            state = self.0.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Queue {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn put(&mut self, event: Event) {
        let needed = if self.missed > 0 { 2 } else { 1 };
        if self.waiting.len() + needed > WAITING {
            self.missed += 1;
            return;
        }
        let missed = self.take_missed();
        self.waiting.extend(missed);
        self.waiting.push_back(event);
    }

    fn take(&mut self) -> Option<Event> {
        self.waiting.pop_front().or_else(|| self.take_missed())
    }

    /// Turns the count into the event that says so.
    fn take_missed(&mut self) -> Option<Event> {
        let count = std::mem::take(&mut self.missed);
        (count > 0).then_some(Event::Missed { count })
    }
}
