//! A stack draws itself, so the picture cannot be wrong.

use std::time::Duration;

use brute_core::models::ScriptedModel;
use brute_core::testing::{LintedStack, Recorder};
use brute_core::{Agent, Error, Next, Reply, Stack, Turn, TurnService, from_fn};
use tower::{Layer, limit::ConcurrencyLimitLayer, timeout::TimeoutLayer};

#[derive(Clone)]
struct FirstLayer;
#[derive(Clone)]
struct SomeLoop;
#[derive(Clone)]
struct PlainLayer<T>(T);

impl<S> Layer<S> for FirstLayer {
    type Service = S;
    fn layer(&self, inner: S) -> S {
        inner
    }
}

impl<S> Layer<S> for SomeLoop {
    type Service = S;
    fn layer(&self, inner: S) -> S {
        inner
    }
}

impl<S, T> Layer<S> for PlainLayer<T> {
    type Service = S;
    fn layer(&self, inner: S) -> S {
        inner
    }
}

async fn sign(turn: Turn, next: Next) -> Result<Reply, Error> {
    next.run(turn).await
}

async fn generic<T: Default + Send>(turn: Turn, next: Next) -> Result<Reply, Error> {
    drop(T::default());
    next.run(turn).await
}

fn model() -> ScriptedModel {
    ScriptedModel::new([])
}

#[track_caller]
fn check(stack: &impl std::fmt::Display, lines: &[&str]) {
    let picture = stack.to_string();
    assert_eq!(picture.lines().collect::<Vec<_>>(), lines, "\n{picture}");
}

#[test]
fn adding_a_layer_changes_the_picture() {
    let stack = Stack::new().layer(FirstLayer).model(model());
    check(&stack, &["├ First", "└ ScriptedModel"]);
    let stack = Stack::new().layer(FirstLayer).layer(PlainLayer(1_u8)).model(model());
    check(&stack, &["├ First", "├ Plain", "└ ScriptedModel"]);
}

#[test]
fn the_picture_does_not_depend_on_where_the_order_is_written_in_pieces() {
    let whole = Stack::new().layer(FirstLayer).layer(SomeLoop).layer(PlainLayer(1)).model(model());
    let extended = Stack::new()
        .layer(FirstLayer)
        .extend(Stack::new().layer(SomeLoop).layer(PlainLayer(1)))
        .model(model());
    let below = Stack::new().layer(SomeLoop).layer(PlainLayer(1)).model(model());
    let over = Stack::new().layer(FirstLayer).over(below);
    assert_eq!(whole.picture(), extended.picture());
    assert_eq!(whole.picture(), over.picture());
}

#[test]
fn what_stands_below_a_loop_is_indented() {
    let stack = Stack::new().layer(FirstLayer).layer(SomeLoop).layer(PlainLayer(1)).model(model());
    check(&stack, &["├ First", "├ SomeLoop", "│  ├ Plain", "│  └ ScriptedModel"]);
}

#[test]
fn notes_stand_in_one_column() {
    let stack = Stack::new()
        .layer(FirstLayer)
        .note("a")
        .layer(SomeLoop)
        .layer(PlainLayer(1))
        .note("längst")
        .model(model());
    check(
        &stack,
        &[
            "├ First              a",
            "├ SomeLoop",
            "│  ├ Plain           längst",
            "│  └ ScriptedModel",
        ],
    );
}

#[test]
fn a_branch_hangs_off_the_layer_that_was_put_last() {
    let tools = Stack::new().layer(TimeoutLayer::new(Duration::from_secs(1))).note("each").tools();
    let stack = Stack::new()
        .layer(SomeLoop)
        .layer(FirstLayer)
        .branch(tools.picture())
        .layer(PlainLayer(1))
        .model(model());
    check(
        &stack,
        &[
            "├ SomeLoop",
            "│  ├ First",
            "│  │  ├ (tower) Timeout   each",
            "│  │  └ the tool",
            "│  ├ Plain",
            "│  └ ScriptedModel",
        ],
    );
    assert!(stack.picture().names().eq(["SomeLoop", "First", "Plain", "ScriptedModel"]));
}

#[test]
fn two_branches_of_one_layer_are_both_drawn() {
    let branch = || Stack::new().tools();
    let stack = Stack::new()
        .layer(FirstLayer)
        .branch(branch().picture())
        .branch(branch().picture())
        .model(model());
    check(&stack, &["├ First", "│  ├ the tool", "│  └ the tool", "└ ScriptedModel"]);
}

#[test]
fn notes_and_branches_of_nothing_are_left_out() {
    let stack = Stack::new().note("of nothing").branch(Stack::new().picture()).model(model());
    check(&stack, &["└ ScriptedModel"]);
    check(&Stack::new(), &[]);
}

#[test]
fn every_layer_has_a_name_that_a_reader_knows() {
    let closure = from_fn(|turn, next: Next| async move { next.run(turn).await });
    let stack = Stack::new()
        .layer(from_fn(sign))
        .layer(from_fn(generic::<Vec<Option<u8>>>))
        .layer(closure)
        .layer(ConcurrencyLimitLayer::new(1))
        .layer(PlainLayer(Some(vec![1])))
        .layer(Recorder::default().layer("x"))
        .model(model());
    let names = [
        "sign",
        "generic",
        "from_fn in every_layer_has_a_name_that_a_reader_knows",
        "(tower) ConcurrencyLimit",
        "Plain",
        "Recorder",
        "ScriptedModel",
    ];
    assert_eq!(stack.picture().names().collect::<Vec<_>>(), names);
}

#[test]
fn a_plain_service_is_a_stack_of_one() {
    let agent = Agent::builder(model()).build().unwrap();
    check(agent.picture(), &["└ ScriptedModel"]);
    let wrapped = TimeoutLayer::new(Duration::from_secs(1)).layer(model());
    check(Agent::builder(wrapped).build().unwrap().picture(), &["└ (tower) Timeout"]);
}

#[test]
fn a_linted_stack_shows_its_lints_between_the_layers() {
    let stack = LintedStack::new().layer(FirstLayer).model(model());
    check(&stack, &["├ Lint", "├ First", "├ Lint", "└ ScriptedModel"]);
}

#[test]
fn erasing_a_stack_leaves_its_picture() {
    fn erase<S: TurnService>(stack: brute_core::BuiltStack<S>) -> brute_core::BuiltStack<()> {
        stack.map(drop)
    }
    let stack = Stack::new().layer(FirstLayer).model(model());
    let picture = stack.picture().clone();
    assert_eq!(*erase(stack).picture(), picture);
}

#[test]
fn what_layers_offer_is_kept_however_a_stack_is_put_together() {
    fn offered(picture: &brute_core::Picture) -> Vec<(&str, &str)> {
        picture.offers().collect()
    }
    let first = || Stack::new().layer(FirstLayer).offers("one").offers("two");
    let plain = || Stack::new().layer(PlainLayer(1)).offers("three");
    let all = [("First", "one"), ("First", "two"), ("Plain", "three")];
    assert_eq!(offered(first().extend(plain()).model(model()).picture()), all);
    let over = first().over(plain().model(model()));
    assert_eq!(offered(over.picture()), all);
    assert_eq!(offered(&over.map(drop).into_parts().1), all);
    let branch = first().layer(SomeLoop).branch(plain().picture()).model(model());
    assert_eq!(offered(branch.picture()), all);
}

#[test]
fn what_layers_offer_is_not_drawn() {
    check(
        &Stack::new().layer(FirstLayer).offers("one").model(model()),
        &["├ First", "└ ScriptedModel"],
    );
    assert_eq!(Stack::new().offers("nothing").model(model()).picture().offers().count(), 0);
}
