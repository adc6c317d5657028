//! Takes one turn, which Ctrl-C ends.

use std::{future, io, io::Write, pin::pin};

use brute_core::{Agent, CancelToken, Error, Event, Session, StopReason, TurnItem};
use futures::StreamExt;

use crate::screen::Screen;

/// How a turn ended.
pub(super) enum Outcome {
    Ended(StopReason),
    Failed(Error),
    Dropped,
}

/// Takes a turn and shows it; the first Ctrl-C asks it to end with what it has, the second drops it.
pub(super) async fn take<W: Write>(
    agent: &Agent,
    session: &Session,
    question: &str,
    screen: &mut Screen<'_, W>,
) -> io::Result<Outcome> {
    let token = CancelToken::new();
    let mut turn = agent.turn(session, question).cancel_with(&token).stream();
    let mut interrupt = pin!(interrupt());
    loop {
        tokio::select! {
            item = turn.next() => match item {
                // The outcome says the same.
                Some(TurnItem::Event(Event::StepFailed { .. })) => {}
                Some(TurnItem::Event(event)) => screen.event(&event)?,
                Some(TurnItem::End(Ok(reply))) => {
                    screen.end(&reply)?;
                    return Ok(Outcome::Ended(reply.stop));
                }
                Some(TurnItem::End(Err(error))) => return Ok(Outcome::Failed(error)),
                None => return Ok(Outcome::Dropped),
            },
            () = &mut interrupt => {
                if token.is_cancelled() {
                    return Ok(Outcome::Dropped);
                }
                token.cancel();
                interrupt.set(self::interrupt());
            }
        }
    }
}

/// Waits for Ctrl-C, for ever where it cannot be heard.
pub(super) async fn interrupt() {
    if tokio::signal::ctrl_c().await.is_err() {
        future::pending::<()>().await;
    }
}
