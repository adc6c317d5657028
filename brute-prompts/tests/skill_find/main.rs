//! Where skills are looked for, and which of them win.

#[cfg(unix)]
mod links;
mod winners;

use std::{
    fs,
    path::{Path, PathBuf},
};

use brute_prompts::skill::{DiscoverOptions, Discovery, Places, Preset, SkillRoot, discover};
use tempfile::TempDir;

/// A folder for one test, in which skills are named by their paths.
struct Disk(TempDir);

impl Disk {
    /// Writes a skill into each folder; the description is the path of the folder.
    fn new(skills: &[&str]) -> Self {
        let disk = Self(tempfile::tempdir().unwrap());
        for folder in skills {
            disk.add(folder);
        }
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
}

/// Scans twice, because the disk must not decide the order.
fn scan(roots: &[SkillRoot]) -> Discovery {
    let found = discover(roots, &DiscoverOptions::default());
    assert_eq!(discover(roots, &DiscoverOptions::default()), found);
    found
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
    let found = scan(&[disk.project("s")]);
    assert_eq!(descriptions(&found), skills);
    assert_eq!(kinds(&found), diagnostics, "{:?}", found.diagnostics);
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
    assert_eq!(scan(&[]), Discovery::default());
}

#[test]
fn depth_one_means_direct_children() {
    let disk = Disk::new(&["s/a", "s/deep/b", "s/deep/er/c"]);
    let names = |depth| {
        let found = scan(&[disk.project("s").max_depth(depth)]);
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
fn a_named_path_may_be_a_skill_a_file_or_a_folder_of_skills() {
    let disk = Disk::new(&["one", "many/a", "many/b"]);
    disk.write("loose.md", "---\nname: loose\ndescription: a loose file\n---\n");
    disk.write("loose.txt", "x");
    let roots = ["one", "many", "loose.md", "one/SKILL.md", "loose.txt", "nowhere"]
        .map(|path| SkillRoot::explicit(disk.path(path)));
    let found = scan(&roots);
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
