//! The lint finds layers that break the contract, names law and layer, and lets all others pass.

use std::{sync::Arc, time::Duration};

use brute_core::models::{Script, ScriptedModel};
use brute_core::testing::{LintedStack, Recorder};
use brute_core::{
    Agent, Error, ErrorKind, Input, Late, Message, Next, Part, Reply, Role, Section, Session, Turn,
    Zone, from_fn,
};
use futures::FutureExt;
use tower::limit::ConcurrencyLimitLayer;
use tower::{layer::layer_fn, load_shed::LoadShedLayer, timeout::TimeoutLayer};

use crate::helpers::{
    accept, answer, calls, check_broken, check_passes, keep, model, pass, result,
};

fn reminder(role: Role) -> Arc<Message> {
    let section =
        Section { name: "plan_reminder".into(), zone: Zone::Dynamic, text: "Only plan.".into() };
    Arc::new(Message::new(role, vec![Part::Section(section)]))
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

async fn tells_the_model_first(mut turn: Turn, next: Next) -> Result<Reply, Error> {
    let told = turn.journal.record(Arc::new(Message::developer("Nobody watches.")));
    turn.log.push(told);
    next.run(turn).await
}

#[test]
fn a_developer_message_may_be_recorded_in_front_of_the_input_and_not_behind_it() {
    let before = LintedStack::new().layer(from_fn(tells_the_model_first)).layer(from_fn(accept));
    check_passes(before.model(model()));
    let behind = LintedStack::new().layer(from_fn(accept)).layer(from_fn(tells_the_model_first));
    check_broken(behind.model(model()), "law 1", "tells_the_model_first");
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

async fn answers_for_an_error(turn: Turn, next: Next) -> Result<Reply, Error> {
    Ok(next.run(turn).await.unwrap_or_else(|_| Reply::text("It did not work.")))
}

async fn records_and_fails(turn: Turn, _: Next) -> Result<Reply, Error> {
    turn.journal.record(Arc::new(Message::assistant("recorded")));
    Err(Error::new(ErrorKind::Model, "the model failed"))
}

#[test]
fn an_answer_in_the_place_of_an_error_need_not_hold_what_was_recorded_before_it() {
    let stack = || LintedStack::new().layer(from_fn(accept)).layer(from_fn(answers_for_an_error));
    check_passes(stack().layer(from_fn(records_and_fails)).model(model()));
    let broken = stack().layer(from_fn(loses_what_it_recorded)).model(model());
    check_broken(broken, "law 1", "loses_what_it_recorded");
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
