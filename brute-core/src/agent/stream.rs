//! A turn as a stream of events that ends with the outcome.

use std::{
    fmt,
    pin::Pin,
    task::{Context, Poll},
};

use futures::{
    Stream, StreamExt,
    channel::mpsc::{UnboundedReceiver, unbounded},
};

use super::TurnCall;
use crate::{Error, Event, Events, Reply, ReplyFuture};

/// One item of a [`TurnStream`].
#[derive(Debug)]
pub enum TurnItem {
    /// Something happened.
    Event(Event),
    /// The turn ended; the last item.
    End(Result<Reply, Error>),
}

/// A turn as a stream of events; made by [`Agent::stream`](super::Agent::stream).
///
/// It is the future of [`Agent::send`](super::Agent::send) with a queue beside it: nothing is
/// spawned, and while nobody polls it the turn stands still.
pub struct TurnStream {
    turn: Option<ReplyFuture>,
    events: UnboundedReceiver<Event>,
    outcome: Option<Result<Reply, Error>>,
}

impl TurnStream {
    pub(super) fn new(call: TurnCall) -> Self {
        let (sender, events) = unbounded();
        let queue = Events::inline(move |event| {
            // The receiver lives as long as the turn does; afterwards nobody is left to be told.
            drop(sender.unbounded_send(event));
        });
        Self { turn: Some(call.events(queue).send()), events, outcome: None }
    }

    fn poll_turn(&mut self, cx: &mut Context<'_>) {
        if let Some(turn) = &mut self.turn
            && let Poll::Ready(outcome) = turn.as_mut().poll(cx)
        {
            self.turn = None;
            self.outcome = Some(outcome);
            // What a task that some layer left behind sends from now on belongs to no turn.
            self.events.close();
        }
    }

    fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Option<TurnItem>> {
        match self.events.poll_next_unpin(cx) {
            Poll::Ready(Some(event)) => Poll::Ready(Some(TurnItem::Event(event))),
            _ => Poll::Pending,
        }
    }
}

impl Stream for TurnStream {
    type Item = TurnItem;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<TurnItem>> {
        if self.turn.is_none() && self.outcome.is_none() {
            return Poll::Ready(None);
        }
        if let Poll::Ready(item) = self.poll_event(cx) {
            return Poll::Ready(item);
        }
        self.poll_turn(cx);
        if let Poll::Ready(item) = self.poll_event(cx) {
            return Poll::Ready(item);
        }
        match self.turn {
            Some(_) => Poll::Pending,
            None => Poll::Ready(self.outcome.take().map(TurnItem::End)),
        }
    }
}

impl fmt::Debug for TurnStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TurnStream")
            .field("is_running", &self.turn.is_some())
            .finish_non_exhaustive()
    }
}
