//! How long it takes to find and list many skills, beside `cat` over the same files.
//!
//! Both run as a process of their own, in turn, and the best of five counts. Memory is the peak of
//! the process, once with short and once with long bodies: the difference should be next to nothing.

#![expect(clippy::print_stdout, reason = "figures are what this is for")]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use brute_prompts::{
    PromptContext, PromptModule,
    skill::{DiscoverOptions, SkillList, SkillRoot, discover, listed},
};

const ROUNDS: usize = 5;
/// Set to the folder to search, it makes this program the one that is measured.
const FOLDER: &str = "BRUTE_BENCH_SKILLS";

fn main() {
    if let Some(folder) = env::var_os(FOLDER) {
        return find_and_list(Path::new(&folder));
    }
    let disk = tempfile::tempdir().unwrap();
    let short = write_skills(&disk.path().join("short"), 3_000, 4_096);
    let (mut cat, mut brute) = (Duration::MAX, Duration::MAX);
    for _ in 0..ROUNDS {
        cat = cat.min(time(Command::new("cat").args(&short)));
        brute = brute.min(time(&mut this_program(&disk.path().join("short"))));
    }
    let ratio = brute.as_secs_f64() / cat.as_secs_f64();
    println!(
        "3,000 skills of 4 KB: cat {cat:.1?}, found and listed {brute:.1?}, {ratio:.2} times as long"
    );

    write_skills(&disk.path().join("long"), 3_000, 65_536);
    for bodies in ["short", "long"] {
        let output = this_program(&disk.path().join(bodies)).output().unwrap();
        println!(
            "peak memory with {bodies} bodies: {}",
            String::from_utf8_lossy(&output.stdout).trim()
        );
    }

    let folders = disk.path().join("folders");
    (0..10_000).for_each(|index| make_folder(&folders.join(format!("{:02}/{index}", index / 100))));
    let best = (0..ROUNDS).map(|_| time(&mut this_program(&folders))).min().unwrap_or_default();
    println!("10,000 empty folders: searched in {best:.1?}");
}

fn this_program(folder: &Path) -> Command {
    let mut program = Command::new(env::current_exe().unwrap());
    program.env(FOLDER, folder);
    program
}

fn time(program: &mut Command) -> Duration {
    let start = Instant::now();
    assert!(program.stdout(Stdio::null()).status().unwrap().success());
    start.elapsed()
}

fn find_and_list(folder: &Path) {
    let found = discover(&[SkillRoot::project(folder)], &DiscoverOptions::default());
    let skills = listed(&found.skills);
    let ctx = PromptContext { skills: Some(skills.into()), ..PromptContext::default() };
    let list = SkillList::default().unlimited().render(&ctx).unwrap().unwrap_or_default();
    assert_eq!(list.matches("<skill>").count(), found.skills.len());
    println!("{}", peak_memory().unwrap_or_else(|| "unknown here".into()));
}

/// Returns what the system says was the most that this process used.
fn peak_memory() -> Option<String> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().to_owned())
}

fn make_folder(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
}

/// Writes skills of about this size and returns their files.
fn write_skills(folder: &Path, count: usize, bytes: usize) -> Vec<PathBuf> {
    let line = "Keep the last lines of a log, and say how many were left out.\n";
    let body = line.repeat(bytes / line.len());
    let skill = |index| {
        let skill = folder.join(format!("skill-{index:04}"));
        make_folder(&skill);
        let front = format!(
            "name: skill-{index:04}\ndescription: Shortens the log number {index}. Use when output is too long to read.\nlicense: MIT\nmetadata:\n  author: somebody\n  version: \"1.0\""
        );
        let file = skill.join("SKILL.md");
        fs::write(&file, format!("---\n{front}\n---\n\n{body}")).unwrap();
        file
    };
    (0..count).map(skill).collect()
}
