//! How the offline model looks, and how it answers with what it saw.

use brute_core::{
    Error, ErrorKind, Events, FnTool, Log, Message, Part, Reply, Role, StopReason, ToolCall,
    ToolChoice, ToolContext, ToolResult, Toolbox, Turn, models::OfflineModel, tool_fn,
};
use futures::future::{BoxFuture, FutureExt};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use tower::ServiceExt;

const LISTING: &str = "README.md\nCargo.toml\nassets/\nqua-zephyr.txt\nsrc/\nzz.png\n";

#[derive(Deserialize, JsonSchema)]
struct Place {
    path: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
struct FilePath {
    file_path: String,
}

#[derive(Deserialize, JsonSchema)]
struct Pattern {
    pattern: String,
    #[serde(default)]
    ignore_case: bool,
}

type Answer = BoxFuture<'static, Result<String, Error>>;
type Tiny<A> = FnTool<A, fn(A, ToolContext) -> Answer>;

/// Lists a directory that is not there.
fn list() -> Tiny<Place> {
    tool_fn("list", "Lists.", |place: Place, _| {
        let listing = match place.path.as_deref() {
            None => Ok(LISTING.to_owned()),
            Some(path) => Ok(format!("{path}/main.rs\n{path}/deep/\n")),
        };
        async { listing }.boxed()
    })
}

/// Reads files that are not there.
fn read() -> Tiny<FilePath> {
    tool_fn("read", "Reads.", |FilePath { file_path }, _| {
        let text = match &*file_path {
            "." => Ok(LISTING.to_owned()),
            "src/gone.rs" => Err(Error::new(ErrorKind::Tool, "src/gone.rs does not exist")),
            path => Ok(format!("1\t# {path}\n2\t\n3\tsecond of {path}\n[lines 1 to 3 of 90]\n")),
        };
        async { text }.boxed()
    })
}

fn search() -> Tiny<Pattern> {
    tool_fn("search", "Searches.", |Pattern { pattern, ignore_case }, _| {
        let found = match &*pattern {
            "nowhere" => "[no line matches in 4 files]\n".to_owned(),
            _ => format!("src/main.rs:7: {pattern} {ignore_case}\nsrc/b.rs:1: {pattern}\n"),
        };
        async { Ok(found) }.boxed()
    })
}

fn all() -> Toolbox {
    let toolbox = Toolbox::default().with(list()).and_then(|toolbox| toolbox.with(read()));
    toolbox.and_then(|toolbox| toolbox.with(search())).expect("three names")
}

fn turn(question: &str, tools: Toolbox) -> Turn {
    let log = Log::from_iter([Message::system("Be brief."), Message::user(question)]);
    Turn { log, tools, ..Turn::default() }
}

async fn step(turn: &Turn) -> Reply {
    OfflineModel.oneshot(turn.clone()).await.expect("a reply")
}

/// Runs the tools that a reply asks for, and adds both to the log.
async fn run_tools(turn: &mut Turn, reply: &Reply) {
    for message in &reply.added {
        turn.log.push(message.clone());
        for call in message.tool_calls() {
            let result = run(turn, call).await;
            turn.log.push(Message::tool_result(result));
        }
    }
}

async fn run(turn: &Turn, call: &ToolCall) -> ToolResult {
    let request = brute_core::ToolRequest {
        tool: turn.tools.get(&call.name).cloned(),
        context: ToolContext {
            call: call.clone(),
            facts: turn.facts.clone(),
            events: Events::default(),
        },
        on_offer: turn.tools.clone(),
    };
    match brute_core::Dispatch.oneshot(request).await {
        Ok(output) => output.into_result(call.id.clone()),
        Err(error) => brute_core::ToolOutput::error(error.to_string()).into_result(call.id.clone()),
    }
}

/// Runs a whole turn; returns the calls of each step and the answer.
async fn ask(mut turn: Turn) -> (Vec<Vec<String>>, String) {
    let mut steps = Vec::new();
    for _ in 0..3 {
        let reply = step(&turn).await;
        if reply.stop != StopReason::ToolCalls {
            return (steps, reply.answer());
        }
        let calls = reply.added.iter().flat_map(|message| message.tool_calls());
        steps.push(calls.map(shown).collect());
        run_tools(&mut turn, &reply).await;
    }
    panic!("the model does not end by itself: {steps:?}");
}

fn shown(call: &ToolCall) -> String {
    let arguments = call.arguments.object().expect("an object");
    let mut arguments = arguments.as_object().expect("an object").clone();
    // It is the same wherever it occurs.
    arguments.remove("ignore_case");
    let values: Vec<_> = arguments.values().filter_map(Value::as_str).collect();
    format!("{} {}", call.name, values.join(" ")).trim_end().to_owned()
}

#[tokio::test]
async fn it_lists_reads_what_says_most_and_answers_with_what_it_saw() {
    let (steps, answer) = ask(turn("What is here?", all())).await;
    assert_eq!(steps, [vec!["list"], vec!["read README.md", "read Cargo.toml"]]);
    for seen in
        ["qua-zephyr.txt", "6 entries", "(2 directories)", "> # README.md", "I do not reason"]
    {
        assert!(answer.contains(seen), "{seen:?} is not in {answer}");
    }
}

#[tokio::test]
async fn what_the_question_names_is_looked_at_first() {
    for (question, expected) in [
        ("What does qua-zephyr say?", vec!["read qua-zephyr.txt", "read README.md"]),
        ("Is QUA-ZEPHYR.TXT long?", vec!["read qua-zephyr.txt", "read README.md"]),
        ("What is in src?", vec!["list src", "read README.md"]),
        ("Who calls src/lib.rs, and why?", vec!["read src/lib.rs", "read README.md"]),
        ("Look at ./src/lib.rs.", vec!["read ./src/lib.rs", "read README.md"]),
        ("Is /etc/hosts short?", vec!["read /etc/hosts", "read README.md"]),
        ("See https://host/a and/or b", vec!["read README.md", "read Cargo.toml"]),
    ] {
        let (steps, _) = ask(turn(question, all())).await;
        assert_eq!(steps[1], expected, "{question}");
    }
}

#[tokio::test]
async fn a_word_in_quotes_or_a_rare_word_is_searched() {
    for (question, word) in [
        ("Where is \"open calls\" used?", "open calls"),
        ("Where is `a.b(c)`?", r"a\.b\(c\)"),
        ("What's 'that thing' for?", "that thing"),
        ("Where is OpenCalls used?", "OpenCalls"),
        ("Who sets max_steps here?", "max_steps"),
        ("Is there any authentication in it?", "authentication"),
        ("Wo steht „Übermut“?", "Übermut"),
    ] {
        let (steps, answer) = ask(turn(question, all())).await;
        assert_eq!(steps[1].last(), Some(&format!("search {word}")), "{question}");
        assert!(answer.contains("got 2 lines"), "{answer}");
        assert!(answer.contains("> src/main.rs:7: "), "{answer}");
        assert!(answer.contains(&format!("“{}”", word.replace('\\', ""))), "{answer}");
    }
}

#[tokio::test]
async fn common_words_are_not_searched() {
    for question in ["What is here?", "Please describe the project", "Don't say what's here"] {
        let (steps, _) = ask(turn(question, all())).await;
        assert_eq!(steps[1], ["read README.md", "read Cargo.toml"], "{question}");
    }
}

#[tokio::test]
async fn nothing_found_is_said() {
    let (_, answer) = ask(turn("Where is \"nowhere\"?", all())).await;
    assert!(
        answer.contains("“nowhere” and found nothing. (no line matches in 4 files)"),
        "{answer}"
    );
}

#[tokio::test]
async fn renamed_tools_are_used_under_their_new_names() {
    let tools = all().rename("list", "ls").and_then(|tools| tools.rename("read", "open_file"));
    let (steps, answer) = ask(turn("What is here?", tools.expect("new names"))).await;
    assert_eq!(steps, [vec!["ls"], vec!["open_file README.md", "open_file Cargo.toml"]]);
    assert!(answer.contains("qua-zephyr.txt") && answer.contains("> # README.md"), "{answer}");
}

#[tokio::test]
async fn arguments_are_named_as_the_schema_names_them() {
    #[derive(Deserialize, JsonSchema)]
    struct Directory {
        directory: String,
    }
    let tool = tool_fn("list", "Lists.", |Directory { directory }: Directory, _| async move {
        Ok::<_, Error>(format!("{directory}-was-listed.md\n"))
    });
    let tools = Toolbox::default().with(tool).expect("one name");
    let (steps, answer) = ask(turn("What is here?", tools)).await;
    assert_eq!(steps, [["list ."]]);
    assert!(answer.contains(".-was-listed.md"), "{answer}");
}

#[tokio::test]
async fn a_tool_without_an_argument_that_it_knows_is_not_called() {
    #[derive(Deserialize, JsonSchema)]
    struct Odd {
        #[allow(dead_code, reason = "only its name matters")]
        number: u64,
    }
    let tool = tool_fn("read", "Reads.", |_: Odd, _| async { Ok::<_, Error>("never") });
    let (steps, _) = ask(turn("What is here?", Toolbox::default().with(tool).expect("one"))).await;
    assert!(steps.is_empty());
}

#[tokio::test]
async fn with_one_tool_only_it_does_what_that_tool_can() {
    for (name, question, expected) in [
        ("list", "What is in src?", vec![vec!["list"], vec!["list src", "list assets"]]),
        ("read", "What is here?", vec![vec!["read ."], vec!["read README.md", "read Cargo.toml"]]),
        ("search", "Where is OpenCalls?", vec![vec!["search OpenCalls"]]),
        ("search", "What is here?", vec![]),
    ] {
        let tools = all().filter(|spec| &*spec.name == name);
        let (steps, answer) = ask(turn(question, tools)).await;
        assert_eq!(steps, expected, "{name}: {question}");
        assert!(answer.contains("I do not reason"), "{answer}");
    }
}

#[tokio::test]
async fn when_tools_are_turned_off_on_the_way_it_answers_with_what_it_has() {
    let mut turn = turn("What is here?", all());
    let reply = step(&turn).await;
    run_tools(&mut turn, &reply).await;
    turn.settings_mut().tool_choice = ToolChoice::None;
    let reply = step(&turn).await;
    assert_eq!(reply.stop, StopReason::EndTurn);
    assert!(reply.answer().contains("qua-zephyr.txt"), "{}", reply.answer());
}

#[tokio::test]
async fn a_chosen_tool_is_the_only_one_it_calls() {
    let mut turn = turn("What is here?", all());
    turn.settings_mut().tool_choice = ToolChoice::Tool("read".into());
    let (steps, _) = ask(turn).await;
    assert_eq!(steps, [vec!["read ."], vec!["read README.md", "read Cargo.toml"]]);
}

#[tokio::test]
async fn failed_tools_are_reported_and_nothing_is_made_up() {
    let fails = |name: &'static str| {
        tool_fn(name, "Fails.", |_: Place, _| async {
            Err::<String, _>(Error::new(ErrorKind::Tool, "the disk is on fire"))
        })
    };
    let tools = Toolbox::default().with(fails("list")).expect("one name");
    let (steps, answer) = ask(turn("What is here?", tools)).await;
    assert_eq!(steps, [["list"]]);
    assert!(answer.contains("The tool list failed:\n> the disk is on fire"), "{answer}");
    let (_, answer) = ask(turn("Is src/gone.rs long?", all())).await;
    let failure =
        "The tool read failed on src/gone.rs:\n> src/gone.rs does not exist\n\nREADME.md, 3 lines";
    assert!(answer.contains(failure), "{answer}");
}

#[tokio::test]
async fn an_empty_directory_is_called_empty() {
    let tool = tool_fn("list", "Lists.", |_: Place, _| async {
        Ok::<_, Error>("[the directory is empty]\n")
    });
    let tools = Toolbox::default().with(tool).expect("one name");
    let (steps, answer) = ask(turn("What is here?", tools)).await;
    assert_eq!(steps.len(), 1);
    assert!(
        answer.contains("The working directory shows no entries. (the directory is empty)"),
        "{answer}"
    );
}

#[tokio::test]
async fn a_directory_without_files_is_looked_into() {
    let tool = tool_fn("list", "Lists.", |place: Place, _| async move {
        Ok::<_, Error>(place.path.map_or("only/\n".to_owned(), |path| format!("{path}/deep.rs\n")))
    });
    let tools = Toolbox::default().with(tool).expect("one name");
    let (steps, answer) = ask(turn("What is here?", tools)).await;
    assert_eq!(steps, [vec!["list"], vec!["list only"]]);
    assert!(answer.contains("only holds 1 entry (0 directories): only/deep.rs."), "{answer}");
}

#[tokio::test]
async fn only_what_a_person_wrote_is_a_question() {
    let mut turn = turn("What is in src?", all());
    let reminder = Part::generated("Remember \"the reminder\".");
    turn.log.push(Message::new(Role::User, vec![reminder]));
    turn.log.push(Message::developer("Where is \"developer\"?"));
    let (steps, _) = ask(turn).await;
    assert_eq!(steps[1], ["list src", "read README.md"]);
}

#[tokio::test]
async fn a_second_question_is_looked_at_anew() {
    let mut turn = turn("What is here?", all());
    for _ in 0..3 {
        let reply = step(&turn).await;
        run_tools(&mut turn, &reply).await;
    }
    turn.log.push(Message::user("What is in src?"));
    let ids_before = call_ids(&turn);
    let (steps, answer) = ask(turn.clone()).await;
    assert_eq!(steps, [vec!["list"], vec!["list src", "read README.md"]]);
    assert!(!answer.contains("> # Cargo.toml"), "{answer}");
    let reply = step(&turn).await;
    let ids = reply.added[0].tool_calls().map(|call| call.id.to_string());
    assert!(ids.into_iter().all(|id| !ids_before.contains(&id)));
}

fn call_ids(turn: &Turn) -> Vec<String> {
    let calls = turn.log.iter().flat_map(|message| message.tool_calls());
    calls.map(|call| call.id.to_string()).collect()
}

#[tokio::test]
async fn the_same_turn_gives_the_same_reply() {
    let mut turn = turn("Where is OpenCalls used in src?", all());
    loop {
        let (first, second) = (step(&turn).await, step(&turn).await);
        assert_eq!(first, second);
        if first.stop == StopReason::EndTurn {
            break;
        }
        run_tools(&mut turn, &first).await;
    }
}
