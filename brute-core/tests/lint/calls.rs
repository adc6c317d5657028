//! The lint finds calls without results and services that were not ready, and names the layer.

use std::{
    panic::AssertUnwindSafe,
    sync::Arc,
    task::{Context, Poll},
};

use brute_core::testing::{LintLayer, LintedStack};
use brute_core::{Error, Message, Next, Reply, ReplyFuture, Turn, TurnService, from_fn};
use futures::FutureExt;
use tower::{Layer, Service, ServiceExt};

use crate::helpers::{
    accept, answer, calls, check_broken, check_passes, complaint, keep, model, pass, result,
    text_of,
};

async fn drops_a_result(_: Turn, _: Next) -> Result<Reply, Error> {
    Ok(answer(vec![calls(&["a", "b"]), result("a"), Arc::new(Message::assistant("done"))]))
}

async fn drops_the_last_result(_: Turn, _: Next) -> Result<Reply, Error> {
    Ok(answer(vec![calls(&["a", "b"]), result("a")]))
}

async fn drops_all_results(_: Turn, _: Next) -> Result<Reply, Error> {
    Ok(answer(vec![calls(&["a", "b"])]))
}

async fn answers_out_of_order(_: Turn, _: Next) -> Result<Reply, Error> {
    Ok(answer(vec![calls(&["a", "b"]), result("b"), result("a")]))
}

async fn answers_twice(_: Turn, _: Next) -> Result<Reply, Error> {
    Ok(answer(vec![calls(&["a"]), result("a"), result("a")]))
}

async fn answers_nobody(_: Turn, _: Next) -> Result<Reply, Error> {
    Ok(answer(vec![Arc::new(Message::assistant("hm")), result("x")]))
}

#[test]
fn a_reply_whose_calls_and_results_do_not_pair_breaks_law_3() {
    let stack = || LintedStack::new().layer(from_fn(accept));
    check_broken(stack().layer(from_fn(drops_a_result)).model(model()), "law 3", "drops_a_result");
    let broken = stack().layer(from_fn(drops_the_last_result)).model(model());
    check_broken(broken, "law 3", "drops_the_last_result");
    let broken = stack().layer(from_fn(drops_all_results)).model(model());
    check_broken(broken, "law 3", "drops_all_results");
    let broken = stack().layer(from_fn(answers_out_of_order)).model(model());
    check_broken(broken, "law 3", "answers_out_of_order");
    check_broken(stack().layer(from_fn(answers_twice)).model(model()), "law 3", "answers_twice");
    check_broken(stack().layer(from_fn(answers_nobody)).model(model()), "law 3", "answers_nobody");
}

async fn shows_no_result(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    turn.log = [calls(&["a"]), Arc::new(Message::user("hi"))].into_iter().collect();
    next.run(turn).await
}

async fn shows_an_open_call(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    turn.log.push(calls(&["a"]));
    next.run(turn).await
}

async fn shows_an_orphan(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    turn.log.push_front(result("a"));
    next.run(turn).await
}

async fn shows_a_wrong_order(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    turn.log.extend([calls(&["a", "b"]), result("b"), result("a")]);
    next.run(turn).await
}

#[test]
fn a_request_whose_calls_and_results_do_not_pair_breaks_law_3() {
    let stack = || LintedStack::new().layer(from_fn(accept));
    check_broken(
        stack().layer(from_fn(shows_no_result)).model(model()),
        "law 3",
        "shows_no_result",
    );
    let broken = stack().layer(from_fn(shows_an_open_call)).model(model());
    check_broken(broken, "law 3", "shows_an_open_call");
    check_broken(
        stack().layer(from_fn(shows_an_orphan)).model(model()),
        "law 3",
        "shows_an_orphan",
    );
    let broken = stack().layer(from_fn(shows_a_wrong_order)).model(model());
    check_broken(broken, "law 3", "shows_a_wrong_order");
}

/// How a layer by hand calls what lies below.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// As it should.
    Ready,
    /// A clone, which nobody readied.
    Clone,
    /// The instance that was readied, and then once more.
    Twice,
    /// Without asking first.
    Unasked,
    /// After giving away the instance that was readied.
    Swapped,
}

#[derive(Clone, Copy, Debug)]
struct HandLayer(Way);

#[derive(Clone)]
struct Hand<S> {
    inner: S,
    way: Way,
}

impl<S> Layer<S> for HandLayer {
    type Service = Hand<S>;

    fn layer(&self, inner: S) -> Hand<S> {
        Hand { inner, way: self.0 }
    }
}

impl<S: TurnService> Service<Turn> for Hand<S> {
    type Response = Reply;
    type Error = Error;
    type Future = ReplyFuture;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
        match self.way {
            Way::Unasked => Poll::Ready(Ok(())),
            _ => self.inner.poll_ready(cx).map_err(Error::wrap),
        }
    }

    fn call(&mut self, turn: Turn) -> ReplyFuture {
        let mut fresh = self.inner.clone();
        match self.way {
            Way::Clone => {
                return Box::pin(fresh.call(turn).map(|reply| reply.map_err(Error::wrap)));
            }
            Way::Twice => drop(self.inner.call(turn.clone())),
            Way::Swapped => std::mem::swap(&mut self.inner, &mut fresh),
            Way::Ready | Way::Unasked => {}
        }
        Box::pin(self.inner.call(turn).map(|reply| reply.map_err(Error::wrap)))
    }
}

#[test]
fn a_service_that_is_called_before_it_is_ready_breaks_law_7() {
    for way in [Way::Clone, Way::Twice, Way::Unasked, Way::Swapped] {
        let broken = LintedStack::new().layer(from_fn(accept)).layer(HandLayer(way));
        check_broken(broken.model(model()), "law 7", "Hand");
    }
    check_passes(
        LintedStack::new().layer(from_fn(keep)).layer(HandLayer(Way::Ready)).model(model()),
    );
}

#[test]
fn a_lint_that_was_readied_is_not_ready_after_the_call() {
    let mut lint = LintLayer::between("above", "below").layer(model());
    lint.ready().now_or_never().unwrap().unwrap();
    drop(lint.call(Turn::default()));
    let again = std::panic::catch_unwind(AssertUnwindSafe(|| lint.call(Turn::default())));
    assert!(text_of(&*again.err().unwrap()).starts_with("law 7 broken by above"));
}

#[test]
fn a_service_that_waits_is_not_ready() {
    let permits = Arc::new(tokio::sync::Semaphore::new(0));
    let limited = tower::limit::ConcurrencyLimit::with_semaphore(model(), permits);
    let mut lint = LintLayer::between("above", "below").layer(limited);
    assert!(lint.ready().now_or_never().is_none());
    let call = std::panic::catch_unwind(AssertUnwindSafe(|| lint.call(Turn::default())));
    assert!(text_of(&*call.err().unwrap()).starts_with("law 7 broken by above"));
}

#[test]
fn the_first_layer_is_checked_against_the_agent_and_the_last_against_the_model() {
    check_broken(
        LintedStack::new().layer(from_fn(drops_all_results)).model(model()),
        "law 3",
        "drops_all_results",
    );
    let open = tower::service_fn(|_: Turn| async { Ok::<_, Error>(answer(vec![calls(&["a"])])) });
    let stack = LintedStack::new().layer(from_fn(pass)).model(open);
    let complaint = complaint(stack).now_or_never().unwrap().unwrap();
    assert!(complaint.starts_with("law 3 broken by (tower) ServiceFn"), "{complaint}");
}
