//! A handler of events can neither break nor slow the turn.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
        mpsc::{self, Receiver, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use brute_core::models::{Script, ScriptedModel};
use brute_core::{Agent, Event, Events, Input, Session};

/// More than the queue of a slow handler takes.
const MANY: usize = 10_000;

/// How long something may take that should take no time at all.
const SOON: Duration = Duration::from_secs(10);

fn text(number: usize) -> Event {
    Event::Text { delta: number.to_string().into() }
}

fn emit(events: &Events, numbers: impl IntoIterator<Item = usize>) {
    numbers.into_iter().for_each(|number| events.emit(|| text(number)));
}

/// Events to a list.
fn listed() -> (Events, Arc<Mutex<Vec<Event>>>) {
    let list = Arc::new(Mutex::new(Vec::new()));
    let kept = list.clone();
    (Events::inline(move |event| kept.lock().unwrap().push(event)), list)
}

/// Events to a handler that waits for a sign before it takes its first event.
fn gated() -> (Events, Sender<()>, Receiver<Event>) {
    let (open, gate) = mpsc::channel();
    let (sender, arrivals) = mpsc::channel();
    let is_open = AtomicUsize::new(0);
    let events = Events::to(move |event| {
        if is_open.fetch_add(1, Ordering::Relaxed) == 0 {
            gate.recv().ok();
        }
        sender.send(event).ok();
    });
    (events, open, arrivals)
}

/// Checks that every number came in order or is counted as missed where it is missing.
#[track_caller]
fn check_whole(received: &[Event], expected: usize) {
    let mut next = 0;
    for event in received {
        match event {
            Event::Text { delta } => {
                assert_eq!(**delta, *next.to_string());
                next += 1;
            }
            Event::Missed { count } => next += usize::try_from(*count).unwrap(),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(next, expected);
}

#[test]
fn nothing_is_made_when_nobody_listens() {
    let events = Events::default();
    assert!(!events.is_on());
    events.emit(|| panic!("nobody listens"));
}

#[test]
fn events_come_in_the_order_they_were_sent() {
    let (sender, arrivals) = mpsc::channel();
    let events = Events::to(move |event| sender.send(event).unwrap());
    emit(&events, 0..1_000);
    drop(events);
    check_whole(&arrivals.iter().collect::<Vec<_>>(), 1_000);
}

#[test]
fn a_handler_that_panics_gets_the_next_event_all_the_same() {
    let (sender, arrivals) = mpsc::channel();
    let events = Events::to(move |event| {
        sender.send(event.clone()).unwrap();
        panic!("the handler panics on {event:?}");
    });
    emit(&events, 0..3);
    drop(events);
    check_whole(&arrivals.iter().collect::<Vec<_>>(), 3);
}

#[test]
fn a_panic_in_an_inline_handler_stays_there() {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = count.clone();
    let events = Events::inline(move |_| {
        counted.fetch_add(1, Ordering::Relaxed);
        panic!("the handler panics");
    });
    emit(&events, 0..3);
    assert_eq!(count.load(Ordering::Relaxed), 3);
}

#[test]
fn a_handler_that_blocks_holds_nobody_up() {
    let (events, open, _arrivals) = gated();
    let start = Instant::now();
    emit(&events, 0..MANY);
    assert!(start.elapsed() < SOON);
    drop(open);
}

#[test]
fn a_handler_that_lags_is_told_how_much_it_missed_where_it_is_missing() {
    let (events, open, arrivals) = gated();
    emit(&events, 0..MANY);
    open.send(()).unwrap();
    // The queue has room again once the first of these arrive; more than that must not be missed.
    let mut received = vec![arrivals.recv_timeout(SOON).unwrap()];
    received.extend((0..100).map(|_| arrivals.recv_timeout(SOON).unwrap()));
    emit(&events, MANY..MANY + 10);
    drop(events);
    received.extend(arrivals.iter());
    check_whole(&received, MANY + 10);
    assert!(received.iter().any(|event| matches!(event, Event::Missed { .. })));
    assert_eq!(received.last(), Some(&text(MANY + 9)));
}

#[test]
fn what_was_missed_last_is_told_although_no_event_follows() {
    let (events, open, arrivals) = gated();
    emit(&events, 0..MANY);
    open.send(()).unwrap();
    let mut received = Vec::new();
    while !matches!(received.last(), Some(Event::Missed { .. })) {
        received.push(arrivals.recv_timeout(SOON).expect("the handler is told"));
    }
    check_whole(&received, MANY);
    drop(events);
    assert_eq!(arrivals.iter().count(), 0);
}

#[test]
fn what_was_missed_is_told_when_the_last_clone_is_gone_already() {
    let (events, open, arrivals) = gated();
    emit(&events, 0..MANY);
    drop(events);
    open.send(()).unwrap();
    check_whole(&arrivals.iter().collect::<Vec<_>>(), MANY);
}

#[test]
fn many_threads_may_send_to_one_handler() {
    let (sender, arrivals) = mpsc::channel();
    let events = Events::to(move |event| sender.send(event).unwrap());
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let events = events.clone();
            thread::spawn(move || emit(&events, 0..500))
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    drop(events);
    let received = arrivals.iter().map(|event| match event {
        Event::Missed { count } => usize::try_from(count).unwrap(),
        _ => 1,
    });
    assert_eq!(received.sum::<usize>(), 2_000);
}

#[test]
fn the_handler_is_dropped_after_the_last_clone() {
    let (sender, arrivals) = mpsc::channel::<()>();
    let events = Events::to(move |_| drop(sender.clone()));
    let clone = events.clone();
    drop(events);
    assert_eq!(
        arrivals.recv_timeout(Duration::from_millis(50)),
        Err(mpsc::RecvTimeoutError::Timeout)
    );
    drop(clone);
    assert_eq!(arrivals.recv_timeout(SOON), Err(mpsc::RecvTimeoutError::Disconnected));
}

#[test]
fn and_sends_to_both_the_first_one_first() {
    let list = Arc::new(Mutex::new(Vec::new()));
    let to_list = |name: &'static str| {
        let list = list.clone();
        Events::inline(move |_| list.lock().unwrap().push(name))
    };
    let both = to_list("first").and(to_list("second")).and(to_list("third"));
    emit(&both, 0..1);
    assert_eq!(*list.lock().unwrap(), ["first", "second", "third"]);
}

#[test]
fn and_with_nobody_is_the_other_one() {
    for before in [true, false] {
        let (events, list) = listed();
        let both =
            if before { Events::default().and(events) } else { events.and(Events::default()) };
        assert!(both.is_on());
        emit(&both, 0..1);
        assert_eq!(*list.lock().unwrap(), [text(0)]);
    }
    assert!(!Events::default().and(Events::default()).is_on());
}

#[test]
fn a_panic_in_one_of_two_handlers_does_not_reach_the_other() {
    for panics_first in [true, false] {
        let (events, list) = listed();
        let panics = Events::inline(|_| panic!("the handler panics"));
        let both = if panics_first { panics.and(events) } else { events.and(panics) };
        emit(&both, 0..2);
        assert_eq!(*list.lock().unwrap(), [text(0), text(1)]);
    }
}

#[tokio::test]
async fn a_turn_does_not_notice_what_happens_in_its_handlers() {
    let (_open, gate) = mpsc::channel::<()>();
    let blocks = Events::to(move |_| {
        gate.recv().ok();
    });
    let panics = Events::inline(|_| panic!("the handler panics"));
    let (listed, list) = listed();
    let model = ScriptedModel::new([Script::text("a long answer").pieces(MANY)]);
    let agent = Agent::builder(model).events(blocks.and(panics).and(listed)).build().unwrap();
    let start = Instant::now();
    let reply = agent.send(&Session::new(), Input::none()).await.unwrap();
    assert!(start.elapsed() < SOON);
    assert_eq!(reply.answer(), "a long answer");
    assert_eq!(list.lock().unwrap().len(), "a long answer".len());
}
