//! Links, pipes and folders that cannot be read.

use std::fs;

use brute_prompts::skill::{DiscoverOptions, Links, SkillRoot, discover};

use crate::{Disk, check, descriptions, kinds, scan};

#[test]
fn one_file_that_two_roots_lead_to_is_one_skill() {
    let disk = Disk::new(&["home/shared"]);
    disk.link("proj/shared", "../home/shared");
    let found = scan(&[SkillRoot::global(disk.path("home")), disk.project("proj")]);
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
    let found = scan(&[disk.project("s")]);
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
    let bounded = scan(&[disk.project("s").boundary(disk.path(""))]);
    assert_eq!(descriptions(&bounded), ["in elsewhere/a"]);
    let free = scan(&[disk.project("s").links(Links::Anywhere)]);
    assert_eq!(descriptions(&free), ["in elsewhere/a"]);
    assert_eq!(free.diagnostics, []);
}

#[test]
fn a_root_that_is_a_link_must_stay_within_its_boundary() {
    let disk = Disk::new(&["elsewhere/a", "proj/inside/b"]);
    disk.link("proj/out", disk.path("elsewhere"));
    disk.link("proj/in", "inside");
    let bounded = |root: &str| disk.project(root).boundary(disk.path("proj"));
    let found = scan(&[bounded("proj/out"), bounded("proj/in")]);
    assert_eq!(
        (descriptions(&found), kinds(&found)),
        (vec!["in proj/inside/b"], vec!["link_escape"])
    );
    // What is a root in its own right may be linked to.
    let found = scan(&[bounded("proj/out"), SkillRoot::global(disk.path("elsewhere"))]);
    assert_eq!((descriptions(&found), found.diagnostics.len()), (vec!["in elsewhere/a"], 0));
}

#[test]
fn of_two_links_the_first_by_path_is_followed() {
    let disk = Disk::new(&["elsewhere/x"]);
    disk.link("s/b", disk.path("elsewhere"));
    disk.link("s/a", disk.path("elsewhere"));
    let found = scan(&[disk.project("s").links(Links::Anywhere)]);
    assert_eq!(found.skills[0].location, disk.path("s/a/x/SKILL.md"));
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
        let json = serde_json::to_string(&scan(&[disk.project("s")]).diagnostics).unwrap();
        assert!(json.contains("odd-\u{fffd}"), "{json}");
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
        fs::set_permissions(disk.path(path), fs::Permissions::from_mode(mode)).unwrap();
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
