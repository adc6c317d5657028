//! Which of several skills of one name is offered.

use brute_prompts::skill::{DiscoverOptions, DuplicatePolicy, SkillRoot, discover};

use crate::{Disk, check, descriptions, kinds, scan};

/// Checks who wins when the roots `a` and `b`, in this order, both hold the skill `x`.
#[track_caller]
fn check_winner(
    policy: DuplicatePolicy,
    precedence: (i32, i32),
    skills: &[&str],
    diagnostics: &[&str],
) {
    let disk = Disk::new(&["a/x", "b/x", "b/y"]);
    let roots =
        [disk.project("a").precedence(precedence.0), disk.project("b").precedence(precedence.1)];
    let found = discover(&roots, &DiscoverOptions::default().duplicates(policy));
    assert_eq!(descriptions(&found), skills);
    assert_eq!(kinds(&found), diagnostics);
}

#[test]
fn the_project_wins_over_the_user_and_the_loser_is_named() {
    let disk = Disk::new(&["home/deploy", "home/lint", "proj/deploy"]);
    let found = scan(&[SkillRoot::global(disk.path("home")), disk.project("proj")]);
    assert_eq!(descriptions(&found), ["in proj/deploy", "in home/lint"]);
    assert_eq!(found.skills[0].scope, "project");
    assert_eq!(found.skills[0].location, disk.path("proj/deploy/SKILL.md"));
    assert_eq!(
        (kinds(&found), found.diagnostics[0].path.as_path()),
        (vec!["shadowed"], disk.path("home/deploy/SKILL.md").as_path())
    );
    assert_eq!(found.shadowed[0].winner, disk.path("proj/deploy/SKILL.md"));
    assert_eq!(found.shadowed[0].loser, disk.path("home/deploy/SKILL.md"));
}

#[test]
fn the_policy_decides_between_two_skills_of_one_name() {
    use DuplicatePolicy::{Error, FirstWins, HighestWins, KeepAll, LastWins};
    check_winner(HighestWins, (0, 0), &["in b/x", "in b/y"], &["shadowed"]);
    check_winner(HighestWins, (1, 0), &["in a/x", "in b/y"], &["shadowed"]);
    check_winner(FirstWins, (0, 9), &["in a/x", "in b/y"], &["shadowed"]);
    check_winner(LastWins, (9, 0), &["in b/x", "in b/y"], &["shadowed"]);
    check_winner(KeepAll, (0, 9), &["in a/x", "in b/x", "in b/y"], &[]);
    check_winner(Error, (0, 9), &["in b/y"], &["duplicate_name", "duplicate_name"]);
}

#[test]
fn within_one_root_the_first_by_path_wins() {
    check(&Disk::new(&["s/b/x", "s/a/x"]), &["in s/a/x"], &["shadowed"]);
}

#[test]
fn a_broken_skill_hides_nobody() {
    let disk = Disk::new(&["a/x"]);
    disk.write("b/x/SKILL.md", "broken");
    let found = scan(&[disk.project("a"), disk.project("b")]);
    assert_eq!(
        (descriptions(&found), kinds(&found)),
        (vec!["in a/x"], vec!["frontmatter_missing"])
    );
}

#[test]
fn a_fallback_gives_way_to_any_other_whatever_its_case() {
    let disk = Disk::new(&["own/Tidy", "made/tidy", "made/extra"]);
    let roots = [disk.project("own"), disk.project("made").fallback()];
    let found = discover(&roots, &DiscoverOptions::default().duplicates(DuplicatePolicy::KeepAll));
    assert_eq!(descriptions(&found), ["in own/Tidy", "in made/extra"]);
    assert_eq!(found.shadowed[0].loser, disk.path("made/tidy/SKILL.md"));
}
