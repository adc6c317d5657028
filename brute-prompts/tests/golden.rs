//! The stacks and the profiles as a model sees them, whole: a change of the words is reviewed here.

#[path = "text_lint/host_facts.rs"]
mod host_facts;

use std::sync::Arc;

use brute_prompts::{
    Family, GitFacts, ModeChange, Profile, PromptContext, PromptMode, RecentNote, SkillEntry,
    SystemPrompt, ToolNames, Worktree,
};

/// The context of a bare directory: nothing is known but the place and the day.
fn bare(family: &Family) -> PromptContext {
    PromptContext {
        family: Some(family.clone()),
        cwd: Some("/srv/app".into()),
        platform: Some("linux".into()),
        date: Some("Thu Mar 05 2026".into()),
        is_git: Some(false),
        ..PromptContext::new("a-provider", "a-model")
    }
}

/// The context of a repository with a skill and a rule.
fn repository(family: &Family) -> PromptContext {
    let skill = SkillEntry {
        name: "release-notes".into(),
        description: "Writes release notes & changelogs. Use when a version is tagged.".into(),
        location: "/srv/app/.brute/skills/release-notes/SKILL.md".into(),
    };
    PromptContext {
        is_git: Some(true),
        git: Some(Arc::new(git())),
        skills: Some([skill].into()),
        skill_tool: Some("skill".into()),
        custom_rules: Some("Run `make check` before you finish.".into()),
        ..bare(family)
    }
}

fn git() -> GitFacts {
    GitFacts {
        branch: Some("main".into()),
        head: Some("1a2b3c4".into()),
        status_lines: vec![" M src/lib.rs".into(), "?? notes.txt".into()],
        status_omitted: 3,
        recent_commits: vec!["1a2b3c4 Add the parser".into(), "5d6e7f8 Begin".into()],
    }
}

/// Renders the stack of every family and compares each with its snapshot.
fn check(name: &str, prompt: &SystemPrompt, ctx: impl Fn(&Family) -> PromptContext) {
    for family in Family::ALL {
        let rendered = prompt.prepare(&ctx(&family)).unwrap();
        insta::assert_snapshot!(format!("{name}_{family}"), rendered);
    }
}

#[test]
fn a_bare_directory() {
    check("bare", &SystemPrompt::default(), bare);
}

#[test]
fn a_repository_with_a_skill_and_a_rule() {
    check("repository", &SystemPrompt::default().append("git_status"), repository);
}

#[test]
fn plan_mode() {
    let ctx = |family: &Family| PromptContext { agent: Some("plan".into()), ..bare(family) };
    check("plan_mode", &SystemPrompt::default(), ctx);
}

#[test]
fn every_reminder_at_once() {
    let ctx = |family: &Family| PromptContext {
        agent: Some("plan".into()),
        agent_switched: Some("build".into()),
        max_steps_reached: true,
        ..repository(family)
    };
    check("reminders", &SystemPrompt::default().append("git_status"), ctx);
}

#[test]
fn no_tools_on_offer() {
    let ctx = |family: &Family| PromptContext {
        tools: ToolNames::none(),
        skill_tool: None,
        ..repository(family)
    };
    check("without_tools", &SystemPrompt::default().append("git_status"), ctx);
}

/// Renders a profile for a repository, with the tools that it counts on.
fn of_profile(profile: Profile, family: &Family, prompt_mode: PromptMode) -> String {
    let ctx = PromptContext {
        prompt_mode,
        tools: profile.tools(family),
        timezone: Some("Europe/Berlin".into()),
        ..repository(family)
    };
    SystemPrompt::profile(profile).prepare(&ctx).unwrap().text()
}

/// Compares a profile with its snapshots, in full and for a sub-agent: those of each family that
/// it tells apart. All others get what the default family gets.
fn check_profile(profile: Profile, families: &[Family]) {
    for mode in [PromptMode::Full, PromptMode::Minimal] {
        for family in Family::ALL {
            let text = of_profile(profile, &family, mode);
            if families.contains(&family) {
                let name = format!("profile_{profile}_{family}_{}", mode.name());
                insta::assert_snapshot!(name, text);
            } else {
                assert_eq!(text, of_profile(profile, &Family::DEFAULT, mode), "{family}");
            }
        }
    }
}

#[test]
fn the_profile_of_the_house() {
    check_profile(Profile::Brute, &Family::ALL);
}

#[test]
fn a_profile_with_a_section_for_each_tool() {
    check_profile(Profile::Fabro, &Family::ALL);
}

#[test]
fn the_profile_of_an_assistant() {
    check_profile(Profile::Fluffbuzz, &[Family::DEFAULT]);
}

#[test]
fn the_profile_of_an_assistant_with_all_that_its_host_tells() {
    let text = |prompt_mode| {
        let ctx = PromptContext {
            prompt_mode,
            tools: Profile::Fluffbuzz.tools(&Family::DEFAULT),
            timezone: Some("Europe/Berlin".into()),
            host: Some(Arc::new(host_facts::facts())),
            ..repository(&Family::DEFAULT)
        };
        SystemPrompt::profile(Profile::Fluffbuzz).prepare(&ctx).unwrap().text()
    };
    insta::assert_snapshot!("profile_fluffbuzz_host_full", text(PromptMode::Full));
    insta::assert_snapshot!("profile_fluffbuzz_host_minimal", text(PromptMode::Minimal));
}

#[test]
fn the_profile_of_an_engineer_on_its_own() {
    check_profile(Profile::Builder, &[Family::DEFAULT]);
}

/// A prompt of one section stands on a line of its own.
#[test]
fn the_first_section_alone_of_every_profile() {
    let line = |profile: Profile, family: &Family| {
        let text = of_profile(profile, family, PromptMode::None);
        format!("{profile}, {family}: {}", text.replace('\n', " | "))
    };
    let lines = |profile| Family::ALL.map(|family| line(profile, &family));
    insta::assert_snapshot!("profiles_none", Profile::ALL.map(lines).concat().join("\n"));
}

#[test]
fn the_messages_about_a_mode() {
    let main = || "/srv/app".into();
    let named =
        Worktree { branch: Some("parser".into()), path: "/srv/app-parser".into(), main: main() };
    let detached = Worktree { branch: None, path: "/srv/app-old".into(), main: main() };
    let messages = [
        ("headless_enter", ModeChange::EnterHeadless),
        ("headless_leave", ModeChange::LeaveHeadless),
        ("worktree_enter", ModeChange::EnterWorktree(named.clone())),
        ("worktree_enter_detached", ModeChange::EnterWorktree(detached.clone())),
        ("worktree_leave", ModeChange::LeaveWorktree(named)),
        ("worktree_leave_detached", ModeChange::LeaveWorktree(detached)),
    ];
    for (name, change) in messages {
        let message = SystemPrompt::default().mode_message(&change, &PromptContext::default());
        insta::assert_snapshot!(format!("mode_{name}"), message.unwrap().unwrap().text);
    }
}

#[test]
fn the_notes_of_the_last_days() {
    let note = |day: &str, text: &str| RecentNote {
        path: format!("/srv/agent/memory/{day}.md").into(),
        day: day.into(),
        text: text.into(),
    };
    let notes = [
        note("2026-03-04", "# Cart\n\nThe total is wrong by a cent."),
        note("2026-03-05", "Fixed: prices are kept in cents."),
    ];
    let section = SystemPrompt::default().recent_notes(&notes, &PromptContext::default());
    insta::assert_snapshot!("recent_notes", section.unwrap().unwrap().text);
}
