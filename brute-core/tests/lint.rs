//! The lint finds layers that break the contract, names law and layer, and lets all others pass.

use std::{
    any::Any,
    panic::AssertUnwindSafe,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use brute_core::models::{Script, ScriptedModel};
use brute_core::testing::{LintLayer, LintedStack, Recorder};
use brute_core::{
    Agent, BuiltStack, Error, Input, Late, Message, Next, Part, Reply, ReplyFuture, Role, Section,
    Session, StopReason, ToolCall, ToolResult, Turn, TurnService, Zone, from_fn,
};
use futures::FutureExt;
use serde_json::json;
use tower::limit::ConcurrencyLimitLayer;
use tower::{
    Layer, Service, ServiceExt, layer::layer_fn, load_shed::LoadShedLayer, timeout::TimeoutLayer,
};

/// Takes a turn and returns what a lint complained of.
async fn complaint<S: TurnService>(stack: BuiltStack<S>) -> Option<String> {
    let agent = Agent::builder(stack).build().unwrap();
    let turn = agent.send(&Session::new(), "hi");
    let panic = AssertUnwindSafe(turn).catch_unwind().await.err()?;
    Some(text_of(&*panic))
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap()
}

/// Checks that a stack is refused because this layer broke this law.
#[track_caller]
fn check_broken<S: TurnService>(stack: BuiltStack<S>, law: &str, layer: &str) {
    let complaint = complaint(stack).now_or_never().unwrap().expect("a lint complains");
    let blame = format!("{law} broken by {layer}: ");
    assert!(complaint.starts_with(&blame), "{complaint}");
}

#[track_caller]
fn check_passes<S: TurnService>(stack: BuiltStack<S>) {
    let agent = Agent::builder(stack).build().unwrap();
    agent.send(&Session::new(), "hi").now_or_never().expect("nothing waits").unwrap();
}

fn model() -> ScriptedModel {
    ScriptedModel::answering(|_| Script::text("hello"))
}

/// Records the input, and what comes back from below.
async fn keep(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    if let Some(input) = turn.input.take() {
        turn.journal.accept(input, &mut turn.log);
    }
    let journal = turn.journal.clone();
    let mut reply = next.run(turn).await?;
    for message in &mut reply.added {
        *message = journal.record(message.clone());
    }
    Ok(reply)
}

async fn accept(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    if let Some(input) = turn.input.take() {
        turn.journal.accept(input, &mut turn.log);
    }
    next.run(turn).await
}

async fn pass(turn: Turn, next: Next) -> Result<Reply, Error> {
    next.run(turn).await
}

fn reminder(role: Role) -> Arc<Message> {
    let section =
        Section { name: "plan_reminder".into(), zone: Zone::Dynamic, text: "Only plan.".into() };
    Arc::new(Message::new(role, vec![Part::Section(section)]))
}

fn calls(ids: &[&str]) -> Arc<Message> {
    let parts = ids.iter().map(|id| Part::ToolCall(ToolCall::new(*id, "tool", json!({}))));
    Arc::new(Message::new(Role::Assistant, parts.collect()))
}

fn result(id: &str) -> Arc<Message> {
    Arc::new(Message::tool_result(ToolResult::ok(id, "ok")))
}

fn answer(added: Vec<Arc<Message>>) -> Reply {
    Reply { added, stop: StopReason::EndTurn, ..Reply::default() }
}

// What belongs to the view stays in the view.

async fn answers_with_its_reminder(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    let reminder = reminder(Role::Developer);
    turn.log.push(reminder.clone());
    let mut reply = next.run(turn).await?;
    reply.added.insert(0, reminder);
    Ok(reply)
}

async fn answers_with_a_reminder_of_the_user(turn: Turn, next: Next) -> Result<Reply, Error> {
    let mut reply = next.run(turn).await?;
    reply.added.insert(0, reminder(Role::User));
    Ok(reply)
}

async fn answers_with_the_system_prompt(turn: Turn, next: Next) -> Result<Reply, Error> {
    let mut reply = next.run(turn).await?;
    reply.added.push(Arc::new(Message::system("Be brief.")));
    Ok(reply)
}

async fn answers_with_the_whole_log(turn: Turn, next: Next) -> Result<Reply, Error> {
    let log = turn.log.clone();
    let mut reply = next.run(turn).await?;
    reply.added = log.iter().cloned().chain(reply.added).collect();
    Ok(reply)
}

#[test]
fn a_reply_that_holds_the_view_breaks_law_1() {
    let stack = || LintedStack::new().layer(from_fn(accept));
    let (law, view) = ("law 1", model());
    let broken = stack().layer(from_fn(answers_with_its_reminder)).model(view.clone());
    check_broken(broken, law, "answers_with_its_reminder");
    let broken = stack().layer(from_fn(answers_with_a_reminder_of_the_user)).model(view.clone());
    check_broken(broken, law, "answers_with_a_reminder_of_the_user");
    let broken = stack().layer(from_fn(answers_with_the_system_prompt)).model(view.clone());
    check_broken(broken, law, "answers_with_the_system_prompt");
    let broken = stack().layer(from_fn(answers_with_the_whole_log)).model(view);
    check_broken(broken, law, "answers_with_the_whole_log");
}

async fn records_its_reminder(turn: Turn, next: Next) -> Result<Reply, Error> {
    turn.journal.record(reminder(Role::Developer));
    next.run(turn).await
}

async fn records_a_reminder_of_the_user(turn: Turn, next: Next) -> Result<Reply, Error> {
    let recorded = turn.journal.record(reminder(Role::User));
    let mut reply = next.run(turn).await?;
    reply.added.insert(0, recorded);
    Ok(reply)
}

async fn records_the_system_prompt(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    let system = turn.journal.record(Arc::new(Message::system("Be brief.")));
    turn.log.push_front(system);
    next.run(turn).await
}

#[test]
fn a_record_that_holds_the_view_breaks_law_1() {
    let stack = || LintedStack::new().layer(from_fn(accept));
    let broken = stack().layer(from_fn(records_its_reminder)).model(model());
    check_broken(broken, "law 1", "records_its_reminder");
    let broken = stack().layer(from_fn(records_a_reminder_of_the_user)).model(model());
    check_broken(broken, "law 1", "records_a_reminder_of_the_user");
    let broken = stack().layer(from_fn(records_the_system_prompt)).model(model());
    check_broken(broken, "law 1", "records_the_system_prompt");
}

async fn loses_what_it_recorded(turn: Turn, _: Next) -> Result<Reply, Error> {
    turn.journal.record(Arc::new(Message::assistant("recorded")));
    Ok(answer(vec![]))
}

async fn loses_what_was_recorded_below(turn: Turn, next: Next) -> Result<Reply, Error> {
    next.run(turn).await?;
    Ok(Reply::text("something else"))
}

#[test]
fn a_reply_that_lacks_what_was_recorded_breaks_law_1() {
    let broken = LintedStack::new().layer(from_fn(accept)).layer(from_fn(loses_what_it_recorded));
    check_broken(broken.model(model()), "law 1", "loses_what_it_recorded");
    let broken = LintedStack::new().layer(from_fn(loses_what_was_recorded_below));
    let broken = broken.layer(from_fn(keep)).model(model());
    check_broken(broken, "law 1", "loses_what_was_recorded_below");
}

async fn gives_an_input(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    turn.input = "one more thing".into();
    next.run(turn).await
}

#[test]
fn an_input_below_the_layer_that_takes_it_breaks_law_1() {
    let broken = LintedStack::new().layer(from_fn(accept)).layer(from_fn(gives_an_input));
    check_broken(broken.model(model()), "law 1", "gives_an_input");
    let further_down = LintedStack::new()
        .layer(from_fn(accept))
        .layer(from_fn(pass))
        .layer(from_fn(gives_an_input))
        .layer(from_fn(pass));
    check_broken(further_down.model(model()), "law 1", "gives_an_input");
}

#[test]
fn an_input_that_is_shaped_above_passes() {
    check_passes(
        LintedStack::new().layer(from_fn(gives_an_input)).layer(from_fn(keep)).model(model()),
    );
}

async fn counts_a_step(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    turn.facts.step += 1;
    next.run(turn).await
}

#[test]
fn a_step_that_is_made_twice_above_the_record_breaks_law_1() {
    let stack = || LintedStack::new().layer(from_fn(accept)).layer(from_fn(counts_a_step));
    let twice = from_fn(makes_a_step_twice);
    check_broken(
        stack().layer(twice).layer(from_fn(keep)).model(model()),
        "law 1",
        "makes_a_step_twice",
    );
    let fails_once = ScriptedModel::new([
        Script::fail(Error::new(brute_core::ErrorKind::Network, "reset")),
        Script::text("hello"),
    ]);
    let broken = stack().layer(from_fn(retries)).layer(from_fn(keep)).model(fails_once);
    check_broken(broken, "law 1", "retries");
    check_passes(stack().layer(from_fn(keep)).layer(twice).model(model()));
}

async fn makes_a_step_twice(turn: Turn, next: Next) -> Result<Reply, Error> {
    next.clone().run(turn.clone()).await?;
    next.run(turn).await
}

// Every call has exactly one result, in order.

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

// Readiness is kept.

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

// A reminder stands once in a request.

async fn reminds(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    turn.log.push(reminder(Role::Developer));
    next.run(turn).await
}

async fn reminds_twice(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    let parts = [reminder(Role::Developer), reminder(Role::Developer)];
    turn.log.extend(parts);
    next.run(turn).await
}

async fn reminds_in_the_system_message_too(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    turn.log.push_front(reminder(Role::System));
    turn.log.push(reminder(Role::Developer));
    next.run(turn).await
}

async fn reminds_twice_in_one_message(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    let mut message = Message::clone(&reminder(Role::Developer));
    message.parts.extend(message.parts.clone());
    turn.log.push(message);
    next.run(turn).await
}

#[test]
fn a_request_that_holds_one_reminder_twice_breaks_the_rule() {
    let (rule, stack) = ("the reminder rule", || LintedStack::new().layer(from_fn(accept)));
    check_broken(stack().layer(from_fn(reminds_twice)).model(model()), rule, "reminds_twice");
    let broken = stack().layer(from_fn(reminds_in_the_system_message_too)).model(model());
    check_broken(broken, rule, "reminds_in_the_system_message_too");
    let broken = stack().layer(from_fn(reminds_twice_in_one_message)).model(model());
    check_broken(broken, rule, "reminds_twice_in_one_message");
    // Each for itself would pass; the second one is to blame.
    let broken = stack().layer(from_fn(reminds)).layer(from_fn(pass)).layer(from_fn(reminds));
    check_broken(broken.model(model()), rule, "reminds");
    check_passes(LintedStack::new().layer(from_fn(keep)).layer(from_fn(reminds)).model(model()));
}

// What is well made passes.

async fn retries(turn: Turn, next: Next) -> Result<Reply, Error> {
    match next.clone().run(turn.clone()).await {
        Ok(reply) => Ok(reply),
        Err(_) => next.run(turn).await,
    }
}

async fn calls_a_tool(turn: Turn, next: Next) -> Result<Reply, Error> {
    let mut added = vec![calls(&["a", "b"]), result("a"), result("b")];
    added.extend(next.run(turn).await?.added);
    Ok(answer(added))
}

#[tokio::test]
async fn correct_layers_pass() {
    let fails_once = ScriptedModel::new([
        Script::fail(Error::new(brute_core::ErrorKind::Network, "reset")),
        Script::text("hello"),
    ]);
    let stack = LintedStack::new()
        .layer(TimeoutLayer::new(Duration::from_secs(9)))
        .layer(LoadShedLayer::new())
        .layer(from_fn(keep))
        .layer(from_fn(calls_a_tool))
        .layer(Recorder::default().layer("x"))
        .layer(HandLayer(Way::Ready))
        .layer(from_fn(reminds))
        .layer(from_fn(retries))
        .layer(ConcurrencyLimitLayer::new(1))
        .layer(layer_fn(Late::new))
        .model(fails_once);
    let agent = Agent::builder(stack).build().unwrap();
    let session = Session::new();
    agent.send(&session, "hi").await.unwrap();
    assert_eq!(session.log().len(), 5);
}

#[test]
fn turns_that_follow_each_other_pass() {
    let stack = LintedStack::new().layer(from_fn(keep)).layer(from_fn(reminds)).model(model());
    let (agent, session) = (Agent::builder(stack).build().unwrap(), Session::new());
    for input in [Input::from("one"), Input::none(), Input::from("two")] {
        agent.send(&session, input).now_or_never().unwrap().unwrap();
    }
    assert_eq!(session.log().len(), 5);
}

#[test]
fn an_error_passes_as_it_is() {
    let fails =
        from_fn(|_, _: Next| async { Err(Error::new(brute_core::ErrorKind::Network, "reset")) });
    let stack = LintedStack::new().layer(from_fn(accept)).layer(fails).model(model());
    let agent = Agent::builder(stack).build().unwrap();
    let error = agent.send(&Session::new(), "hi").now_or_never().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "reset");
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
