//! Facts of a session: place, platform, day, repository and skills.

use std::{fs, path::Path};

use brute_prompts::{
    Family, PromptContext, SkillEntry, SystemPrompt,
    gather::{
        Clock, GatherOptions, Gathered, Platform, SessionFacts, SystemClock, Today,
        WorkspaceOptions, gather, repository_root,
    },
    skill::{DiscoverOptions, SkillRoot},
};
use tempfile::TempDir;

fn options(cwd: &Path) -> GatherOptions {
    let platform =
        Platform { name: "linux".into(), shell: Some("zsh".into()), ..Platform::default() };
    GatherOptions::new(cwd)
        .home(cwd.join("home"))
        .clock(Today::parse("2026-03-05T10:15:30Z").unwrap())
        .platform(platform)
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn skill(folder: &Path, name: &str) {
    let text = format!("---\nname: {name}\ndescription: Sorted.\n---\n\nDo the work.\n");
    write(&folder.join(name).join("SKILL.md"), &text);
}

fn names(gathered: &Gathered) -> Vec<&str> {
    gathered.facts.skills.as_ref().unwrap().iter().map(|skill| skill.name.as_str()).collect()
}

#[track_caller]
fn check_day(text: &str, words: &str, timezone: Option<&str>) {
    let today = Today::parse(text).unwrap();
    assert_eq!((today.words().as_str(), today.timezone()), (words, timezone));
}

#[test]
fn a_day_is_read_in_the_offset_of_its_own_clock() {
    check_day("2026-03-05", "Thu Mar 05 2026", None);
    check_day("2026-03-05T23:59:59Z", "Thu Mar 05 2026", Some("UTC"));
    check_day("2026-03-05T23:30:00-08:00", "Thu Mar 05 2026", Some("-08:00"));
    check_day("2026-03-06T00:30:00+05:45", "Fri Mar 06 2026", Some("+05:45"));
    check_day("2026-03-05T10:00:00+01:00[Europe/Berlin]", "Thu Mar 05 2026", Some("Europe/Berlin"));
    for text in ["", "today", "2026-13-01", "05.03.2026"] {
        assert!(Today::parse(text).unwrap_err().to_string().contains(text));
    }
}

#[test]
fn the_clock_of_the_machine_gives_the_day_in_the_same_form() {
    let today = SystemClock.today();
    let again = Today::parse(&today.iso()).unwrap();
    assert_eq!(again.words(), today.words());
}

#[test]
fn facts_of_a_session_are_gathered_once_and_hold_no_time() {
    let folder = TempDir::new().unwrap();
    let gathered = gather(&options(folder.path()));
    let expected = SessionFacts {
        cwd: Some(folder.path().to_str().unwrap().into()),
        platform: Some("linux".into()),
        os_version: None,
        arch: None,
        shell: Some("zsh".into()),
        date: Some("Thu Mar 05 2026".into()),
        timezone: Some("UTC".into()),
        utc_offset: Some("+00:00".into()),
        is_git: Some(false),
        skills: Some(Vec::new()),
        instructions: Some([].into()),
        workspace_files: None,
    };
    assert_eq!(gathered, Gathered { facts: expected, ..Gathered::default() });
}

#[test]
fn a_folder_below_the_root_is_in_the_repository() {
    let folder = TempDir::new().unwrap();
    let deep = folder.path().join("src/deep");
    fs::create_dir_all(&deep).unwrap();
    assert_eq!(gather(&options(&deep)).facts.is_git, Some(false));
    fs::create_dir(folder.path().join(".git")).unwrap();
    assert_eq!(gather(&options(&deep)).facts.is_git, Some(true));
    assert_eq!(repository_root(&deep).as_deref(), Some(folder.path()));
}

#[test]
fn the_git_file_of_a_linked_work_tree_marks_a_root() {
    let folder = TempDir::new().unwrap();
    write(&folder.path().join(".git"), "gitdir: /elsewhere/.git/worktrees/wt\n");
    assert_eq!(gather(&options(folder.path())).facts.is_git, Some(true));
}

#[test]
fn a_folder_that_is_not_there_is_a_diagnostic_and_no_failure() {
    let folder = TempDir::new().unwrap();
    let gathered = gather(&options(&folder.path().join("gone")));
    assert_eq!(gathered.diagnostics[0].kind, "cwd_missing");
    assert!(gathered.facts.cwd.unwrap().ends_with("gone"));
    assert_eq!(gathered.facts.is_git, Some(false));
}

#[test]
fn a_relative_folder_becomes_absolute() {
    let gathered = gather(&GatherOptions::new(".").without_skills());
    assert!(Path::new(&*gathered.facts.cwd.unwrap()).is_absolute());
    assert!(gathered.diagnostics.is_empty());
}

#[test]
fn without_options_the_facts_are_those_of_this_process() {
    let facts = gather(&GatherOptions::default().without_skills()).facts;
    let cwd = std::env::current_dir().unwrap();
    assert_eq!(facts.cwd.as_deref(), cwd.to_str());
    assert_eq!(facts.platform.as_deref(), Some(std::env::consts::OS));
    assert_eq!(facts.skills, None);
}

#[test]
fn skills_are_found_in_the_working_directory_and_at_home_in_one_order() {
    let folder = TempDir::new().unwrap();
    for name in ["m", "c", "x"] {
        skill(&folder.path().join(".brute/skills"), name);
    }
    skill(&folder.path().join("home/.config/brute/skills"), "a");
    let gathered = gather(&options(folder.path()));
    assert_eq!(names(&gathered), ["a", "c", "m", "x"]);
    assert_eq!(gathered, gather(&options(folder.path())), "found anew, the same again");
}

#[test]
fn skills_are_found_where_the_host_says() {
    let folder = TempDir::new().unwrap();
    skill(&folder.path().join("mine"), "deploy");
    let roots = vec![SkillRoot::project(folder.path().join("mine"))];
    let options = options(folder.path()).skill_roots(roots, DiscoverOptions::default());
    assert_eq!(names(&gather(&options)), ["deploy"]);
}

#[test]
fn what_the_host_has_set_wins_over_what_was_gathered() {
    let folder = TempDir::new().unwrap();
    skill(&folder.path().join(".brute/skills"), "deploy");
    let facts = gather(&options(folder.path())).facts;
    let own = PromptContext {
        date: Some("Fri Jan 01 2100".into()),
        is_git: Some(true),
        skills: Some([].into()),
        ..PromptContext::default()
    };
    let mut ctx = own.clone();
    facts.apply(&mut ctx);
    assert_eq!((&ctx.date, ctx.is_git, &ctx.skills), (&own.date, own.is_git, &own.skills));
    assert_eq!((&ctx.cwd, &ctx.shell), (&facts.cwd, &facts.shell));

    let mut ctx = PromptContext::default();
    facts.apply(&mut ctx);
    let location = folder.path().join(".brute/skills/deploy/SKILL.md").to_str().unwrap().into();
    let entry = SkillEntry { name: "deploy".into(), description: "Sorted.".into(), location };
    assert_eq!(ctx.skills.as_deref(), Some([entry].as_slice()));
}

#[test]
fn facts_can_be_kept_with_a_session_and_read_back() {
    let folder = TempDir::new().unwrap();
    skill(&folder.path().join(".brute/skills"), "deploy");
    let facts = gather(&options(folder.path())).facts;
    let json = serde_json::to_string(&facts).unwrap();
    assert_eq!(serde_json::from_str::<SessionFacts>(&json).unwrap(), facts);
    let older: SessionFacts = serde_json::from_str(r#"{"cwd": "/srv"}"#).unwrap();
    assert_eq!(older.cwd.as_deref(), Some("/srv"));
}

#[test]
fn three_moments_of_one_day_give_one_prompt() {
    let folder = TempDir::new().unwrap();
    skill(&folder.path().join(".brute/skills"), "deploy");
    let prompt = |moment: &str| {
        let options = options(folder.path()).clock(Today::parse(moment).unwrap());
        let mut ctx = PromptContext::new("anthropic", "claude");
        gather(&options).facts.apply(&mut ctx);
        SystemPrompt::default().prepare(&ctx).unwrap().text()
    };
    let noon = prompt("2026-03-05T12:34:56Z");
    assert_eq!(prompt("2026-03-05T00:00:01Z"), noon);
    assert_eq!(prompt("2026-03-05T23:59:59Z"), noon);
    assert!(noon.contains("2026") && noon.contains("deploy"));
    assert!(!noon.contains("12:34"));
}

#[test]
fn instruction_files_are_facts_of_the_session() {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join(".git")).unwrap();
    write(&folder.path().join("AGENTS.md"), "common rules");
    write(&folder.path().join("CLAUDE.md"), "own rules");
    write(&folder.path().join("home/.config/brute/AGENTS.md"), "rules of the user");
    let texts = |options: &GatherOptions| {
        let files = gather(options).facts.instructions.unwrap();
        files.iter().map(|file| file.text.to_string()).collect::<Vec<_>>()
    };
    let options = options(folder.path());
    assert_eq!(texts(&options), ["rules of the user", "common rules"]);
    let own = options.clone().family(&Family::ANTHROPIC);
    assert_eq!(texts(&own), ["rules of the user", "common rules", "own rules"]);
    assert_eq!(gather(&options.without_instructions()).facts.instructions, None);
}

#[test]
fn workspace_files_are_facts_of_the_session_on_request() {
    let folder = TempDir::new().unwrap();
    write(&folder.path().join("SOUL.md"), "calm");
    write(&folder.path().join("ws/SOUL.md"), "wild");
    let soul = |options: &GatherOptions| {
        let workspace = gather(options).facts.workspace_files?;
        let soul = workspace.files.iter().find(|file| &*file.name == "SOUL.md").unwrap();
        Some(soul.text.to_string())
    };
    let options = options(folder.path());
    assert_eq!(soul(&options), None);
    let here = options.clone().workspace(None, WorkspaceOptions::default());
    assert_eq!(soul(&here).as_deref(), Some("calm"));
    let there = options.workspace(Some(folder.path().join("ws")), WorkspaceOptions::default());
    assert_eq!(soul(&there).as_deref(), Some("wild"));
}

#[test]
fn a_session_keeps_its_files_and_their_oddities_are_told() {
    let folder = TempDir::new().unwrap();
    write(&folder.path().join("AGENTS.md"), &"a".repeat(40_000));
    let workspace = WorkspaceOptions::default().heartbeat(false);
    let gathered = gather(&options(folder.path()).workspace(None, workspace));
    assert_eq!(gathered.diagnostics.len(), 2);
    assert_eq!(gathered.workspace_told.len(), 1);
    let json = serde_json::to_string(&gathered.facts).unwrap();
    let kept: SessionFacts = serde_json::from_str(&json).unwrap();
    assert_eq!(kept, gathered.facts);
    let mut ctx = PromptContext::default();
    kept.apply(&mut ctx);
    assert_eq!(ctx.instructions, gathered.facts.instructions);
    assert_eq!(ctx.workspace_files, gathered.facts.workspace_files);
}

#[test]
fn files_that_the_host_gave_stay() {
    let folder = TempDir::new().unwrap();
    write(&folder.path().join("AGENTS.md"), "gathered");
    let facts = gather(&options(folder.path())).facts;
    let mut ctx = PromptContext { instructions: Some([].into()), ..PromptContext::default() };
    facts.apply(&mut ctx);
    assert_eq!(ctx.instructions.unwrap().len(), 0);
}
