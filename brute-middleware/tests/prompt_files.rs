//! A prompt that a user keeps in a file is read at a session's first request and fixed for it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use brute_core::{
    Agent, Error, ErrorKind, Message, Next, Role, Session, Turn, from_fn,
    models::{Script, ScriptedModel},
    testing::LintedStack,
    tool_fn,
};
use brute_middleware::{
    AcceptInputLayer, SystemPromptLayer, ToolLoopLayer, reload_prompt_facts, set_headless,
};
use brute_prompts::{
    PromptSettings, SystemPrompt,
    gather::{GatherOptions, PromptFileOptions},
};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A home and a project side by side.
struct Places(TempDir);

impl Places {
    fn new<const N: usize>(files: [(&str, &str); N]) -> Self {
        let places = Self(TempDir::new().unwrap());
        for folder in ["home", "ws/.git"] {
            fs::create_dir_all(places.path(folder)).unwrap();
        }
        for (path, text) in files {
            places.write(path, text);
        }
        places
    }

    fn path(&self, path: &str) -> PathBuf {
        self.0.path().join(path)
    }

    fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// The home is known; the project is found from the working directory.
    fn options(&self) -> PromptFileOptions {
        PromptFileOptions::builder(Some(&self.path("home")), None)
    }

    fn layer(&self) -> SystemPromptLayer {
        layer(self.options())
    }

    /// What the agent of this layer sees for a system message in the next turn of a session.
    async fn system(&self, layer: SystemPromptLayer, session: &Session) -> Result<String, Error> {
        system(layer, session, &self.path("ws")).await
    }
}

fn layer(options: PromptFileOptions) -> SystemPromptLayer {
    let settings = PromptSettings { tool_preambles: true, ..PromptSettings::default() };
    SystemPromptLayer::new(SystemPrompt::new(["identity"]))
        .gather(None)
        .prompt_files(options, settings)
}

fn agent(layer: SystemPromptLayer, model: &ScriptedModel) -> Agent {
    let stack = LintedStack::new()
        .layer(AcceptInputLayer)
        .layer(layer)
        .layer(ToolLoopLayer)
        .model(model.clone());
    let look = tool_fn("look", "Looks.", |_: Value, _| {
        std::future::ready(Ok::<_, brute_core::Error>("seen"))
    });
    Agent::builder(stack).model("anthropic", "claude").tool(look).build().unwrap()
}

async fn system(layer: SystemPromptLayer, session: &Session, cwd: &Path) -> Result<String, Error> {
    let model = ScriptedModel::answering(|_| Script::text("Hello."));
    agent(layer, &model).turn(session, "hi").cwd(cwd).await?;
    Ok(system_of(&model.requests()[0]))
}

fn system_of(turn: &Turn) -> String {
    let system = turn.log.iter().find(|message| message.role == Role::System);
    system.map(|message| message.text()).unwrap_or_default()
}

fn reopened(session: &Session) -> Session {
    Session::from_json(&session.to_json().unwrap()).unwrap()
}

const FILE: &str = "ws/.builder/SYSTEM.md";

#[tokio::test]
async fn a_file_counts_as_it_was_at_the_first_request_also_after_the_session_was_reopened() {
    let places = Places::new([(FILE, "You are Rex.\n")]);
    let session = Session::new();
    let first = places.system(places.layer(), &session).await.unwrap();
    assert!(first.starts_with("You are Rex.\n\n"), "{first}");
    places.write(FILE, "You are Ada.");
    assert_eq!(places.system(places.layer(), &session).await.unwrap(), first);
    assert_eq!(places.system(places.layer(), &reopened(&session)).await.unwrap(), first);
    let new = places.system(places.layer(), &Session::new()).await.unwrap();
    assert!(new.starts_with("You are Ada.\n\n"), "{new}");
}

#[tokio::test]
async fn the_words_that_ship_are_fixed_too() {
    let places = Places::new([]);
    let session = Session::new();
    let first = places.system(places.layer(), &session).await.unwrap();
    places.write(FILE, "You are Rex.");
    assert_eq!(places.system(places.layer(), &session).await.unwrap(), first);
}

#[tokio::test]
async fn a_session_from_before_takes_the_file_as_it_is_now() {
    let places = Places::new([(FILE, "You are Rex.")]);
    let history = [Message::user("hi"), Message::assistant("Hello.")];
    let session = Session::from_log(&history.into_iter().collect()).unwrap();
    let first = places.system(places.layer(), &session).await.unwrap();
    places.write(FILE, "You are Ada.");
    assert!(first.starts_with("You are Rex."), "{first}");
    assert_eq!(places.system(places.layer(), &session).await.unwrap(), first);
}

#[tokio::test]
async fn facts_that_are_gathered_anew_leave_the_file_as_it_was_read() {
    let places = Places::new([(FILE, "In {{ cwd }}, as Rex.")]);
    let session = Session::new();
    let layer = || places.layer().gather(GatherOptions::default().home(places.path("home")));
    let first = places.system(layer(), &session).await.unwrap();
    places.write(FILE, "You are Ada.");
    fs::create_dir_all(places.path("ws/api")).unwrap();
    reload_prompt_facts(&session);
    let second = system(layer(), &session, &places.path("ws/api")).await.unwrap();
    assert!(first.contains("ws, as Rex.") && second.contains("ws/api, as Rex."), "{second}");
}

#[tokio::test]
async fn a_file_that_fails_is_an_error_that_names_it_and_nothing_is_kept() {
    for bytes in [b"{{ nobody_knows_me }}".as_slice(), b"{% if %}", b"\xff\xfe"] {
        let places = Places::new([]);
        places.write(FILE, bytes);
        let session = Session::new();
        let error = places.system(places.layer(), &session).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Prompt);
        assert!(error.to_string().contains("SYSTEM.md"), "{error}");
        assert!(session.meta().get("system_prompt").is_none());

        places.write(FILE, "You are Rex.");
        let mended = places.system(places.layer(), &session).await.unwrap();
        assert!(mended.starts_with("You are Rex."), "{mended}");
    }
}

#[tokio::test]
async fn settings_are_fixed_with_the_first_request() {
    let places = Places::new([("ws/.builder/config.toml", "tool_preambles = false\n")]);
    let (quiet, talking) = (Session::new(), Session::new());
    let first = places.system(places.layer(), &quiet).await.unwrap();
    places.write("ws/.builder/config.toml", "tool_preambles = true\n");
    assert_eq!(places.system(places.layer(), &quiet).await.unwrap(), first);
    let second = places.system(places.layer(), &talking).await.unwrap();
    assert!(second.len() > first.len(), "{second}");

    let unwatched = Session::new();
    set_headless(&unwatched, true);
    assert_eq!(places.system(places.layer(), &unwatched).await.unwrap(), first);
}

#[tokio::test]
async fn settings_stay_where_the_prompt_is_rendered_for_each_turn() {
    let places = Places::new([(FILE, "About {{ estimated_tool_calls }} calls fit.")]);
    let with = |context_window| {
        let settings = PromptSettings { context_window, ..PromptSettings::default() };
        SystemPromptLayer::new(SystemPrompt::new(["identity"]))
            .gather(None)
            .prompt_files(places.options(), settings)
            .policy(brute_middleware::RenderPolicy::WhenMissing)
    };
    let session = Session::new();
    for _ in 0..2 {
        let said = places.system(with(272_000), &session).await.unwrap();
        assert_eq!(said, "About 185 calls fit.");
    }
    let said = places.system(with(400_000), &reopened(&session)).await.unwrap();
    assert_eq!(said, "About 185 calls fit.", "the window of the session is fixed");
    let said = places.system(with(400_000), &Session::new()).await.unwrap();
    assert_eq!(said, "About 271 calls fit.");
}

#[tokio::test]
async fn of_two_first_turns_at_once_one_is_refused_and_one_prompt_is_kept() {
    let places = Places::new([(FILE, "You are Rex.")]);
    let session = Session::new();
    let turn = || places.system(places.layer(), &session);
    let (one, two) = tokio::join!(turn(), turn());
    let refused = [&one, &two].into_iter().filter_map(|it| it.as_ref().err()).count();
    let error = [one, two].into_iter().find_map(Result::err).unwrap();
    assert_eq!((refused, error.kind()), (1, ErrorKind::Busy));
    assert!(places.system(places.layer(), &session).await.unwrap().starts_with("You are Rex."));
}

#[tokio::test]
async fn a_turn_that_is_tried_again_goes_on_with_the_prompt_that_was_kept_first() {
    let places = Places::new([(FILE, "You are Rex.")]);
    let path = places.path(FILE);
    let again = from_fn(move |turn: Turn, next: Next| {
        let path = path.clone();
        async move {
            next.clone().run(turn.clone()).await.unwrap_err();
            fs::write(path, "You are Ada.").unwrap();
            next.run(turn).await
        }
    });
    let model = ScriptedModel::new([
        Script::fail(Error::new(ErrorKind::Overloaded, "later")),
        Script::text("Hello."),
    ]);
    let stack = LintedStack::new()
        .layer(again)
        .layer(AcceptInputLayer)
        .layer(places.layer())
        .layer(ToolLoopLayer)
        .model(model.clone());
    let agent = Agent::builder(stack).build().unwrap();
    agent.turn(&Session::new(), "hi").cwd(places.path("ws")).await.unwrap();
    let [first, second] = [0, 1].map(|index| system_of(&model.requests()[index]));
    assert!(first.starts_with("You are Rex."), "{first}");
    assert_eq!(first, second);
}

#[tokio::test]
async fn a_role_has_a_prompt_of_its_own_also_in_a_session_that_has_one_already() {
    let config = "[subagents.scout]\nsystem_prompt_file = \"scout.md\"\n";
    let places = Places::new([
        (FILE, "You are Rex."),
        ("ws/.builder/config.toml", config),
        ("ws/.builder/scout.md", "You scout."),
    ]);
    let parent = Session::new();
    places.system(places.layer(), &parent).await.unwrap();
    for child in [Session::new(), parent.fork()] {
        let scout = || layer(places.options().role("scout"));
        let first = places.system(scout(), &child).await.unwrap();
        assert!(first.starts_with("You scout."), "{first}");
        places.write("ws/.builder/scout.md", "You wander.");
        assert_eq!(places.system(scout(), &child).await.unwrap(), first);
        places.write("ws/.builder/scout.md", "You scout.");
    }
    assert!(places.system(places.layer(), &parent).await.unwrap().starts_with("You are Rex."));
}

#[tokio::test]
async fn the_project_is_the_repository_unless_the_session_names_another_folder() {
    let places = Places::new([
        (FILE, "The repository."),
        ("ws/api/.builder/SYSTEM.md", "The part."),
        ("tree/.git", "gitdir: elsewhere"),
        ("tree/.builder/SYSTEM.md", "The worktree."),
        ("plain/.builder/SYSTEM.md", "No repository."),
    ]);
    let kept = places.path("ws/api").to_string_lossy().into_owned();
    for (cwd, root, words) in [
        ("ws", None, "The repository."),
        ("ws/api/deep", None, "The repository."),
        ("ws/api/deep", Some(&kept), "The part."),
        ("tree/src", Some(&kept), "The worktree."),
        ("plain", None, "No repository."),
    ] {
        fs::create_dir_all(places.path(cwd)).unwrap();
        let session = Session::new();
        if let Some(root) = root {
            session.remember("workspace_root", root.as_str());
        }
        let said = system(places.layer(), &session, &places.path(cwd)).await.unwrap();
        assert!(said.starts_with(words), "{cwd}: {said}");
    }
}

#[tokio::test]
async fn a_role_that_is_called_supervisor_is_not_the_supervisor() {
    let config = format!("{REVIEWER}[subagents.supervisor]\nsystem_prompt_file = \"role.md\"\n");
    let places = Places::new([
        ("ws/.builder/config.toml", &config),
        ("ws/.builder/review.md", "Look twice."),
        ("ws/.builder/role.md", "You are {{ model }}."),
    ]);
    let role = || layer(places.options().role("supervisor"));
    let keeping = || supervisor(&places).policy(brute_middleware::RenderPolicy::Snapshot);
    let session = Session::new();
    for _ in 0..2 {
        let said = places.system(role(), &session).await.unwrap();
        assert!(said.starts_with("You are claude."), "{said}");
        assert_eq!(places.system(keeping(), &session).await.unwrap(), "Look twice.");
    }
}

const REVIEWER: &str = "[reviewer]\nsystem_prompt_file = \"review.md\"\n";

fn supervisor(places: &Places) -> SystemPromptLayer {
    SystemPromptLayer::supervisor(places.options())
}

#[tokio::test]
async fn a_supervisor_reads_its_file_at_its_first_run_and_keeps_it() {
    let places = Places::new([
        ("ws/.builder/config.toml", REVIEWER),
        ("ws/.builder/review.md", "Braces {{ stay }}.\n"),
    ]);
    let session = Session::new();
    assert_eq!(places.system(supervisor(&places), &session).await.unwrap(), "Braces {{ stay }}.");
    places.write("ws/.builder/review.md", "Edited.");
    assert_eq!(places.system(supervisor(&places), &session).await.unwrap(), "Braces {{ stay }}.");
    assert_eq!(places.system(supervisor(&places), &Session::new()).await.unwrap(), "Edited.");
}

#[tokio::test]
async fn a_file_of_a_supervisor_may_be_empty_and_lie_in_the_home() {
    let config = "[reviewer]\nsystem_prompt_file = \"~/review.md\"\n";
    let places =
        Places::new([("ws/.builder/config.toml", config), ("home/review.md", "Look twice.")]);
    let said = places.system(supervisor(&places), &Session::new()).await.unwrap();
    assert_eq!(said, "Look twice.");
    places.write("home/review.md", " \n");
    assert_eq!(places.system(supervisor(&places), &Session::new()).await.unwrap(), "");
}

#[tokio::test]
async fn a_file_of_a_supervisor_that_is_missing_fails_the_run_and_nothing_is_kept() {
    let places = Places::new([("ws/.builder/config.toml", REVIEWER)]);
    let session = Session::new();
    let error = places.system(supervisor(&places), &session).await.unwrap_err();
    assert!(error.to_string().contains("review.md"), "{error}");
    assert_eq!(session.meta().iter().count(), 0);
    places.write("ws/.builder/review.md", "Look twice.");
    assert_eq!(places.system(supervisor(&places), &session).await.unwrap(), "Look twice.");
}

#[tokio::test]
async fn a_supervisor_without_a_file_looks_again_and_an_agent_never_looks_for_it() {
    let places = Places::new([]);
    let session = Session::new();
    let shipped = places.system(supervisor(&places), &session).await.unwrap();
    assert!(!shipped.is_empty());
    assert_eq!(session.meta().iter().count(), 0);
    places.write("ws/.builder/config.toml", REVIEWER);
    places.system(supervisor(&places), &session).await.unwrap_err();
    places.system(places.layer(), &Session::new()).await.unwrap();
}

#[tokio::test]
async fn a_kept_prompt_that_cannot_be_read_is_rendered_anew_from_the_kept_file() {
    let places = Places::new([(FILE, "You are Rex.")]);
    for unreadable in [json!(["old"]), json!({ "mode": "later", "sections": [] }), json!(7)] {
        // What was read is kept apart.
        let session = Session::new();
        let first = places.system(places.layer(), &session).await.unwrap();
        session.remember("system_prompt", unreadable);
        places.write(FILE, "You are Ada.");
        assert_eq!(places.system(places.layer(), &session).await.unwrap(), first);
        places.write(FILE, "You are Rex.");
    }
}

#[tokio::test]
async fn a_kept_file_that_cannot_be_read_gives_way_to_the_one_that_is_there_and_that_is_kept() {
    let places = Places::new([
        ("ws/.builder/config.toml", REVIEWER),
        ("ws/.builder/review.md", "Look twice."),
    ]);
    let session = Session::new();
    session.remember("prompt_file.supervisor", 17);
    assert_eq!(places.system(supervisor(&places), &session).await.unwrap(), "Look twice.");
    places.write("ws/.builder/review.md", "Look once.");
    assert_eq!(places.system(supervisor(&places), &session).await.unwrap(), "Look twice.");
}

#[tokio::test]
async fn a_supervisor_that_keeps_its_prompt_keeps_it_apart_from_that_of_the_agent() {
    let places = Places::new([(FILE, "You are Rex.")]);
    let keeping = || supervisor(&places).policy(brute_middleware::RenderPolicy::Snapshot);
    let session = Session::new();
    let rex = places.system(places.layer(), &session).await.unwrap();
    let words = places.system(keeping(), &session).await.unwrap();
    assert_ne!(words, rex);
    assert_eq!(places.system(keeping(), &session).await.unwrap(), words);
    assert_eq!(places.system(places.layer(), &session).await.unwrap(), rex);
}

#[tokio::test]
async fn a_supervisor_in_the_session_of_an_agent_does_not_take_over_its_prompt() {
    let places = Places::new([
        (FILE, "You are Rex."),
        ("ws/.builder/config.toml", REVIEWER),
        ("ws/.builder/review.md", "Look twice."),
    ]);
    let session = Session::new();
    places.system(places.layer(), &session).await.unwrap();
    assert_eq!(places.system(supervisor(&places), &session).await.unwrap(), "Look twice.");
    assert!(places.system(places.layer(), &session).await.unwrap().starts_with("You are Rex."));
}
