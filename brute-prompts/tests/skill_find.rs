//! Where skills are looked for, and which of them win.

use std::{
    fs,
    path::{Path, PathBuf},
};

use brute_prompts::skill::{
    DiscoverOptions, Discovery, DuplicatePolicy, Links, Places, Preset, SkillRoot, discover,
};
use tempfile::TempDir;

/// A folder for one test, in which skills are named by their paths.
struct Disk(TempDir);

impl Disk {
    /// Writes a skill into each folder; the description is the path of the folder.
    fn new(skills: &[&str]) -> Self {
        let disk = Self(tempfile::tempdir().unwrap());
        skills.iter().for_each(|folder| disk.add(folder));
        disk
    }

    fn path(&self, below: &str) -> PathBuf {
        self.0.path().join(below)
    }

    fn add(&self, folder: &str) {
        let name = folder.rsplit('/').next().unwrap();
        self.write(
            &format!("{folder}/SKILL.md"),
            &format!("---\nname: {name}\ndescription: in {folder}\n---\n"),
        );
    }

    fn write(&self, file: &str, content: &str) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    #[cfg(unix)]
    fn link(&self, link: &str, target: impl AsRef<Path>) {
        let link = self.path(link);
        fs::create_dir_all(link.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, link).unwrap();
    }

    fn project(&self, below: &str) -> SkillRoot {
        SkillRoot::project(self.path(below))
    }

    fn scan(&self, roots: &[SkillRoot]) -> Discovery {
        let found = discover(roots, &DiscoverOptions::default());
        assert_eq!(discover(roots, &DiscoverOptions::default()), found, "two scans agree");
        found
    }
}

fn descriptions(found: &Discovery) -> Vec<&str> {
    found.skills.iter().map(|skill| skill.description.as_str()).collect()
}

fn kinds(found: &Discovery) -> Vec<&str> {
    found.diagnostics.iter().map(|diagnostic| diagnostic.kind).collect()
}

/// Checks which skills a scan of the folder `s` finds, and what it reports.
#[track_caller]
fn check(disk: &Disk, skills: &[&str], diagnostics: &[&str]) {
    let found = disk.scan(&[disk.project("s")]);
    assert_eq!(descriptions(&found), skills);
    assert_eq!(kinds(&found), diagnostics, "{:?}", found.diagnostics);
}

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
fn skills_are_sorted_by_name_byte_by_byte() {
    let disk =
        Disk::new(&["s/zeta", "s/alpha-2", "s/beta", "s/alpha", "s/a1", "s/deep/er/alpha-1"]);
    check(
        &disk,
        &[
            "in s/a1",
            "in s/alpha",
            "in s/deep/er/alpha-1",
            "in s/alpha-2",
            "in s/beta",
            "in s/zeta",
        ],
        &[],
    );
}

#[test]
fn a_missing_root_is_silent_and_an_empty_list_finds_nothing() {
    let disk = Disk::new(&[]);
    check(&disk, &[], &[]);
    assert_eq!(disk.scan(&[]), Discovery::default());
}

#[test]
fn depth_one_means_direct_children() {
    let disk = Disk::new(&["s/a", "s/deep/b", "s/deep/er/c"]);
    let names = |depth| {
        let found = disk.scan(&[disk.project("s").max_depth(depth)]);
        found.skills.into_iter().map(|skill| skill.name).collect::<Vec<_>>()
    };
    assert_eq!(names(0), [""; 0]);
    assert_eq!(names(1), ["a"]);
    assert_eq!(names(2), ["a", "b"]);
    assert_eq!(names(3), ["a", "b", "c"]);
}

#[test]
fn the_usual_depth_is_six() {
    check(&Disk::new(&["s/1/2/3/4/5/six", "s/1/2/3/4/5/6/seven"]), &["in s/1/2/3/4/5/six"], &[]);
}

#[test]
fn a_folder_that_holds_a_skill_is_a_leaf() {
    check(&Disk::new(&["s/outer", "s/outer/inner"]), &["in s/outer"], &[]);
    let disk = Disk::new(&["s/outer/inner"]);
    disk.write("s/outer/SKILL.md", "broken");
    check(&disk, &[], &["frontmatter_missing"]);
}

#[test]
fn hidden_folders_and_installed_packages_are_not_entered() {
    let disk = Disk::new(&["s/keep", "s/.git/hooks", "s/node_modules/pkg", "s/.hidden"]);
    disk.write("s/README.md", "Notes.");
    disk.write("s/empty/notes.txt", "x");
    check(&disk, &["in s/keep"], &[]);
}

#[test]
fn a_skill_file_in_the_root_itself_is_reported() {
    let disk = Disk::new(&["s/keep"]);
    disk.write("s/SKILL.md", "---\nname: s\ndescription: stray\n---\n");
    check(&disk, &["in s/keep"], &["file_misplaced"]);
}

#[test]
fn a_folder_in_the_place_of_a_file_is_reported() {
    let disk = Disk::new(&["s/keep"]);
    fs::create_dir_all(disk.path("s/odd/SKILL.md")).unwrap();
    check(&disk, &["in s/keep"], &["not_a_file"]);
}

#[test]
fn the_right_spelling_of_the_file_name_is_preferred() {
    let disk = Disk::new(&["s/both"]);
    disk.write("s/both/skill.md", "---\nname: both\ndescription: lower\n---\n");
    // Where case makes no difference the second file is the first one.
    let lower = fs::read_to_string(disk.path("s/both/SKILL.md")).unwrap().contains("lower");
    check(&disk, &[if lower { "lower" } else { "in s/both" }], &[]);
}

#[test]
fn the_project_wins_over_the_user_and_the_loser_is_named() {
    let disk = Disk::new(&["home/deploy", "home/lint", "proj/deploy"]);
    let found = disk.scan(&[SkillRoot::global(disk.path("home")), disk.project("proj")]);
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
    let found = disk.scan(&[disk.project("a"), disk.project("b")]);
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

#[test]
fn a_named_path_may_be_a_skill_a_file_or_a_folder_of_skills() {
    let disk = Disk::new(&["one", "many/a", "many/b"]);
    disk.write("loose.md", "---\nname: loose\ndescription: a loose file\n---\n");
    disk.write("loose.txt", "x");
    let roots = ["one", "many", "loose.md", "one/SKILL.md", "loose.txt", "nowhere"]
        .map(|path| SkillRoot::explicit(disk.path(path)));
    let found = disk.scan(&roots);
    assert_eq!(descriptions(&found), ["in many/a", "in many/b", "a loose file", "in one"]);
    assert_eq!(kinds(&found), ["path_invalid", "path_missing"]);
}

#[test]
fn a_search_ends_at_its_limit_of_folders() {
    let disk = Disk::new(&["s/a", "s/b", "s/c"]);
    let found = discover(&[disk.project("s")], &DiscoverOptions::default().max_folders(3));
    assert_eq!(
        (descriptions(&found), kinds(&found)),
        (vec!["in s/a", "in s/b"], vec!["too_many_folders"])
    );
}

#[test]
fn a_thousand_empty_folders_hide_no_skill() {
    let disk = Disk::new(&["s/9/99/last"]);
    for index in 0..1_000 {
        fs::create_dir_all(disk.path(&format!("s/{}/{:02}", index / 100, index % 100))).unwrap();
    }
    check(&disk, &["in s/9/99/last"], &[]);
}

#[test]
fn a_skill_that_is_added_is_found_by_the_next_scan() {
    let disk = Disk::new(&["s/a"]);
    check(&disk, &["in s/a"], &[]);
    disk.add("s/b");
    check(&disk, &["in s/a", "in s/b"], &[]);
}

#[test]
fn the_presets_look_where_their_users_expect_it() {
    let places = Places {
        cwd: Some("/p/sub".into()),
        home: Some("/h".into()),
        git_root: Some("/p".into()),
        bundled: Some("/b".into()),
        generated: Some("/g".into()),
        extra: vec!["~/mine".into(), "/x.md".into()],
        ..Places::default()
    };
    let paths = |preset: Preset| -> Vec<_> {
        preset.roots(&places).iter().map(|root| root.path.to_str().unwrap().to_owned()).collect()
    };
    assert_eq!(
        paths(Preset::Brute),
        ["/h/mine", "/x.md", "/h/.config/brute/skills", "/p/sub/.brute/skills"]
    );
    assert_eq!(
        paths(Preset::Agents),
        ["/h/mine", "/x.md", "/b", "/h/.agents/skills", "/p/sub/.agents/skills", "/p/sub/skills"]
    );
    assert_eq!(paths(Preset::Fabro), ["/h/.fabro/skills", "/p/.fabro/skills", "/p/skills"]);
    assert_eq!(paths(Preset::Builder), ["/h/.builder/skills", "/p/sub/.builder/skills", "/g"]);
    let depths = [Preset::Brute, Preset::Agents, Preset::Fabro, Preset::Builder]
        .map(|preset| preset.options().max_depth);
    assert_eq!(depths, [6, 6, 1, 1]);
    let without_git = Places { git_root: None, ..places.clone() };
    assert_eq!(Preset::Fabro.roots(&without_git).len(), 1);
    assert_eq!(Preset::Brute.roots(&Places::default()), []);
}

#[cfg(unix)]
mod links {
    use super::*;

    #[test]
    fn one_file_that_two_roots_lead_to_is_one_skill() {
        let disk = Disk::new(&["home/shared"]);
        disk.link("proj/shared", "../home/shared");
        let found = disk.scan(&[SkillRoot::global(disk.path("home")), disk.project("proj")]);
        assert_eq!((descriptions(&found), kinds(&found)), (vec!["in home/shared"], vec![]));
        assert_eq!(found.skills[0].scope, "project");
    }

    #[test]
    fn loops_end() {
        let disk = Disk::new(&["s/a", "s/deep/b"]);
        disk.link("s/a/again", ".");
        disk.link("s/deep/up", "..");
        disk.link("s/deep/self", "self");
        check(&disk, &["in s/a", "in s/deep/b"], &["link_broken"]);
    }

    #[test]
    fn a_skill_is_known_by_its_own_path_rather_than_by_a_link() {
        let disk = Disk::new(&["s/z/real"]);
        disk.link("s/alias", "z/real");
        let found = disk.scan(&[disk.project("s")]);
        assert_eq!(found.skills[0].location, disk.path("s/z/real/SKILL.md"));
        assert_eq!(found.diagnostics, []);
    }

    #[test]
    fn a_link_out_of_the_project_is_refused() {
        let disk = Disk::new(&["elsewhere/a", "s/keep"]);
        disk.link("s/out", disk.path("elsewhere"));
        disk.link("s/odd/SKILL.md", disk.path("elsewhere/a/SKILL.md"));
        check(&disk, &["in s/keep"], &["link_escape", "link_escape"]);
    }

    #[test]
    fn a_link_may_lead_anywhere_within_the_boundary_or_from_a_folder_of_the_user() {
        let disk = Disk::new(&["elsewhere/a"]);
        disk.link("s/out", disk.path("elsewhere"));
        let bounded = disk.scan(&[disk.project("s").boundary(disk.path(""))]);
        assert_eq!(descriptions(&bounded), ["in elsewhere/a"]);
        let free = disk.scan(&[disk.project("s").links(Links::Anywhere)]);
        assert_eq!(descriptions(&free), ["in elsewhere/a"]);
        assert_eq!(free.diagnostics, []);
    }

    #[test]
    fn a_link_to_nowhere_is_reported() {
        let disk = Disk::new(&["s/keep"]);
        disk.link("s/gone", "nowhere");
        check(&disk, &["in s/keep"], &["link_broken"]);
    }

    #[test]
    fn a_pipe_is_never_opened() {
        let disk = Disk::new(&["s/keep"]);
        fs::create_dir(disk.path("s/pipe")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(disk.path("s/pipe/SKILL.md")).status();
        assert!(made.unwrap().success());
        check(&disk, &["in s/keep"], &["not_a_file"]);
    }

    #[test]
    fn a_path_that_is_not_utf8_is_left_out_and_reported() {
        use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
        let disk = Disk::new(&["s/keep"]);
        let folder = disk.path("s").join(OsStr::from_bytes(b"odd-\xff"));
        // Some file systems refuse such a name.
        if fs::create_dir(&folder).is_ok() {
            fs::write(folder.join("SKILL.md"), "---\nname: x\ndescription: y\n---\n").unwrap();
            check(&disk, &["in s/keep"], &["path_not_utf8"]);
        }
    }

    /// The super user may read every folder, so the scan runs as somebody else where it can.
    #[test]
    fn a_folder_that_cannot_be_read_is_reported_and_the_rest_is_found() {
        use std::os::unix::{fs::PermissionsExt, process::CommandExt};

        const ROOT: &str = "BRUTE_TEST_SKILL_ROOT";
        if let Some(root) = std::env::var_os(ROOT) {
            let found = discover(&[SkillRoot::project(root)], &DiscoverOptions::default());
            assert_eq!(
                (descriptions(&found), kinds(&found)),
                (vec!["in s/keep"], vec!["unreadable", "unreadable"])
            );
            return;
        }
        let disk = Disk::new(&["s/keep", "s/closed/a", "s/file"]);
        let mode = |path: &str, mode| {
            fs::set_permissions(disk.path(path), fs::Permissions::from_mode(mode)).unwrap()
        };
        let copy = disk.path("test");
        fs::copy(std::env::current_exe().unwrap(), &copy).unwrap();
        mode("", 0o755);
        mode("s/closed", 0o000);
        mode("s/file/SKILL.md", 0o000);
        let name = "links::a_folder_that_cannot_be_read_is_reported_and_the_rest_is_found";
        let mut scan = std::process::Command::new(copy);
        scan.args(["--exact", name]).env(ROOT, disk.path("s"));
        if fs::read_dir(disk.path("s/closed")).is_ok() {
            scan.uid(65_534);
        }
        let outcome = scan.output().unwrap();
        mode("s/closed", 0o755);
        assert!(outcome.status.success(), "{}", String::from_utf8_lossy(&outcome.stdout));
    }
}
