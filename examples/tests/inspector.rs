//! Looks at prompts as a person would: where their bytes come from, how two differ, on a page.

use std::{
    collections::BTreeMap,
    fs,
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;
use tempfile::TempDir;

/// What nobody may smuggle into a page.
const HOSTILE: &str = "<script>alert(1)</script> \u{202e}turned \"quoted\" & 'single'";

/// A directory with these files and a home that is empty.
fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn run(cwd: &Path, arguments: &[&str]) -> Output {
    let home = TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_brute"));
    command.args(["prompt", "--date", "2026-03-05"]).args(arguments);
    command.current_dir(cwd).env("HOME", home.path()).output().unwrap()
}

#[track_caller]
fn stdout(output: &Output) -> String {
    assert!(output.status.success(), "it fails: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

#[track_caller]
fn shown(cwd: &Path, arguments: &[&str]) -> String {
    stdout(&run(cwd, arguments))
}

#[track_caller]
fn json(cwd: &Path, arguments: &[&str]) -> Value {
    serde_json::from_str(&shown(cwd, &[&["--json"], arguments].concat())).unwrap()
}

/// An agent's workspace: a file with tags, one that is too long, one that is hostile; some missing.
fn workspace() -> TempDir {
    let long = "- a fact that is worth keeping\n".repeat(1_000);
    folder(&[
        ("AGENTS.md", "Use <b>tabs</b>.\n"),
        ("SOUL.md", HOSTILE),
        ("MEMORY.md", &long),
        ("HEARTBEAT.md", "- look at the mail\n"),
        (".brute/skills/pdf/SKILL.md", "---\nname: pdf\ndescription: Fills forms.\n---\nDo it.\n"),
    ])
}

fn names(report: &Value) -> Vec<&str> {
    let sections = report["sections"].as_array().unwrap();
    sections.iter().map(|section| section["name"].as_str().unwrap()).collect()
}

/// Returns kind, raw size, injected size and status by the last part of the source.
fn sources(report: &Value) -> BTreeMap<String, (String, u64, u64, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let line = |source: &Value| {
        let name = text(&source["source"]).rsplit('/').next().unwrap().to_owned();
        let sizes = (source["raw_bytes"].as_u64().unwrap(), source["injected_bytes"].as_u64());
        let line = (text(&source["kind"]), sizes.0, sizes.1.unwrap(), text(&source["status"]));
        (name, line)
    };
    report["report"].as_array().unwrap().iter().map(line).collect()
}

#[test]
fn a_mode_decides_how_much_is_rendered() {
    let folder = folder(&[("AGENTS.md", "Use tabs.\n")]);
    let size = |mode: &str| {
        let report = json(folder.path(), &["--provider", "anthropic", "--mode", mode]);
        (report["bytes"].as_u64().unwrap(), names(&report).len())
    };
    let (full, minimal, none) = (size("full"), size("minimal"), size("none"));
    assert!(full.0 > minimal.0 && minimal.0 > none.0, "{full:?} {minimal:?} {none:?}");
    assert_eq!(none.1, 1);
}

#[test]
fn workspace_files_are_read_only_when_asked_for() {
    let folder = workspace();
    let plain = json(folder.path(), &[]);
    assert!(!names(&plain).contains(&"workspace_files"));
    let report = json(folder.path(), &["--workspace-files"]);
    let names = names(&report);
    assert!(names.contains(&"workspace_files"), "{names:?}");
    assert_eq!(names.last(), Some(&"heartbeat_file"));
}

#[test]
fn a_file_of_the_workspace_is_no_instruction_file_too() {
    let folder = workspace();
    for arguments in [&[][..], &["--workspace-files"]] {
        let text = shown(folder.path(), arguments);
        assert_eq!(text.matches("Use <b>tabs</b>.").count(), 1, "{text}");
    }
}

#[test]
fn the_report_is_part_of_the_object_where_it_is_asked_for() {
    let folder = folder(&[]);
    assert!(json(folder.path(), &[]).get("report").is_none());
    let report = json(folder.path(), &["--report"]);
    let line = report["report"][0].as_object().unwrap();
    let keys: Vec<_> = line.keys().collect();
    assert_eq!(keys, ["source", "kind", "raw_bytes", "injected_bytes", "status"]);
}

#[test]
fn injected_sizes_add_up_to_the_text() {
    let folder = workspace();
    for provider in ["anthropic", "openai", "google", "ollama", ""] {
        for mode in ["full", "minimal", "none"] {
            let options = ["--workspace-files", "--report", "--provider", provider, "--mode", mode];
            let report = json(folder.path(), &options);
            let lines = report["report"].as_array().unwrap();
            let sum: u64 = lines.iter().map(|line| line["injected_bytes"].as_u64().unwrap()).sum();
            let text = report["text"].as_str().unwrap();
            assert_eq!(sum, text.len() as u64, "{provider} {mode}");
        }
    }
}

#[test]
fn the_report_says_what_became_of_each_file() {
    let folder = workspace();
    let report = json(folder.path(), &["--workspace-files", "--report"]);
    let sources = sources(&report);
    let status = |name: &str| (sources[name].0.as_str(), sources[name].3.as_str());
    assert_eq!(status("AGENTS.md"), ("workspace", "ok"));
    assert_eq!(status("MEMORY.md"), ("workspace", "truncated"));
    assert_eq!(status("USER.md"), ("workspace", "missing"));
    assert_eq!(status("read"), ("tools", "ok"));
    let (_, raw, injected, _) = &sources["MEMORY.md"];
    assert!(*raw > 30_000 && (10_000..=12_000).contains(injected), "{raw} {injected}");
}

#[test]
fn the_table_tells_sizes_cuts_skills_and_tools() {
    let folder = workspace();
    let table = shown(folder.path(), &["--workspace-files", "--report", "--tools", "read=see,fly"]);
    let row = |name: &str| -> Vec<&str> {
        let line = table.lines().find(|line| line.trim_start().starts_with(name));
        line.unwrap_or_else(|| panic!("{name} is not in\n{table}")).split_whitespace().collect()
    };
    let report = json(folder.path(), &["--workspace-files", "--tools", "read=see,fly"]);
    let total = row("total")[2].replace(',', "");
    assert_eq!(total.parse::<u64>().ok(), report["bytes"].as_u64());
    assert!(matches!(
        row("MEMORY.md")[..],
        ["MEMORY.md", "workspace", "30,999", _, _, "truncated"]
    ));
    assert!(matches!(row("USER.md")[..], ["USER.md", "workspace", "0", _, _, "missing"]));
    assert_eq!(row("truncated:"), ["truncated:", "MEMORY.md"]);
    assert_eq!(row("missing:"), ["missing:", "IDENTITY.md,", "USER.md,", "TOOLS.md"]);
    assert_eq!(row("skills:")[..2], ["skills:", "1"]);
    assert!(matches!(row("see:")[..], ["see:", size] if size.parse::<u64>().is_ok()));
    assert_eq!(row("not known to this program:").last(), Some(&"fly"));
}

#[test]
fn two_providers_are_compared_section_by_section() {
    let folder = folder(&[]);
    let named = shown(folder.path(), &["--diff", "anthropic", "openai"]);
    let other = shown(folder.path(), &["--provider", "anthropic", "--diff", "openai"]);
    assert_eq!(named, other);
    for part in [
        "--- anthropic (family anthropic)",
        "+++ openai (family openai)",
        "\n= conventions: same, ",
        "\n~ identity: changed, ",
        "\n- task_management: only in the first, ",
        "\n+ autonomy: only in the second, ",
        "\n    + # Autonomy",
    ] {
        assert!(named.contains(part), "{part:?} is not in\n{named}");
    }
}

#[test]
fn two_directories_are_compared_by_what_lies_there() {
    let folder = folder(&[
        ("one/AGENTS.md", "Use tabs.\nBe brief.\n"),
        ("two/AGENTS.md", "Use spaces.\nBe brief.\n"),
    ]);
    let diff = shown(folder.path(), &["--diff", "./one", "./two"]);
    for part in
        ["~ instructions: ", "    - Use tabs.\n", "    + Use spaces.\n", "      Be brief.\n"]
    {
        assert!(diff.contains(part), "{part:?} is not in\n{diff}");
    }
    assert!(diff.contains("\n= identity: same, "), "{diff}");
}

#[test]
fn every_section_of_both_sides_is_compared_once() {
    let folder = folder(&[("AGENTS.md", "Use tabs.\n")]);
    let names_of = |provider: &str| {
        let report = json(folder.path(), &["--provider", provider]);
        names(&report).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let providers = ["anthropic", "openai", "google", "ollama", "other"];
    for (one, other) in providers.iter().flat_map(|one| providers.map(|other| (*one, other))) {
        let diff = shown(folder.path(), &["--diff", one, other]);
        let heads = diff.lines().skip(3).filter(|line| line.starts_with(['=', '~', '-', '+']));
        let mut seen: Vec<_> =
            heads.map(|line| line[2..].split(':').next().unwrap().to_owned()).collect();
        let mut expected = [names_of(one), names_of(other)].concat();
        expected.sort();
        expected.dedup();
        seen.sort();
        assert_eq!(seen, expected, "{one} and {other}");
    }
}

#[test]
fn equal_prompts_differ_in_nothing() {
    let folder = workspace();
    let diff = shown(folder.path(), &["--diff", "."]);
    assert!(diff.lines().skip(3).all(|line| line.starts_with("= ")), "{diff}");
}

#[test]
fn a_name_that_could_be_both_is_a_provider_and_says_so() {
    let folder = folder(&[("openai/AGENTS.md", "Use tabs.\n")]);
    let output = run(folder.path(), &["--diff", "openai"]);
    let note = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(note.contains("./openai is the directory"), "{note}");
    assert!(stdout(&output).contains("+++ openai (family openai), .\n"));
    assert!(run(folder.path(), &["--diff", "google"]).stderr.is_empty());
}

#[test]
fn a_directory_that_is_not_there_is_named() {
    let folder = folder(&[]);
    let output = run(folder.path(), &["--diff", "./nowhere"]);
    assert_eq!(output.status.code(), Some(1));
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.contains("cannot work in the directory ./nowhere"), "{complaint}");
}

/// Writes the page of a workspace and reads it.
fn page(folder: &Path, more: &[&str]) -> String {
    let file = folder.join("page.html");
    let arguments = ["--workspace-files", "--html", "page.html", "--provider", "anthropic"];
    assert_eq!(shown(folder, &[&arguments, more].concat()), "");
    fs::read_to_string(file).unwrap()
}

/// Returns what a browser shows inside `<pre>`, without the page's own marks.
fn seen_in_page(page: &str) -> String {
    let parts = page.split("<pre>\n").skip(1);
    let texts = parts.map(|part| part.split("</pre>").next().unwrap());
    let text: String = texts.collect();
    let mut plain = String::new();
    for (index, part) in text.split('<').enumerate() {
        plain += if index == 0 { part } else { part.split_once('>').unwrap().1 };
    }
    let marks = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#x27;", "'"), ("&#x2f;", "/")];
    let plain = marks.iter().fold(plain, |text, (mark, c)| text.replace(mark, c));
    plain.replace("&amp;", "&")
}

#[test]
fn the_page_shows_the_prompt_byte_for_byte() {
    let folder = workspace();
    let page = page(folder.path(), &[]);
    let report = json(folder.path(), &["--workspace-files", "--provider", "anthropic"]);
    let sections = report["sections"].as_array().unwrap();
    let text: String = sections.iter().map(|section| section["text"].as_str().unwrap()).collect();
    assert_eq!(seen_in_page(&page), text.replace('\u{202e}', "\\u{202e}"));
}

#[test]
fn nothing_from_outside_becomes_part_of_the_page() {
    let folder = workspace();
    let hostile = ["--model", "<img src=x onerror=alert(1)>", "--tools", "read=<u>,\"><b>"];
    let page = page(folder.path(), &hostile);
    for part in ["<script", "<img", "<u>", "<b>tabs", "\"><b>", "\u{202e}", "alert(1)</"] {
        assert!(!page.contains(part), "{part:?} is in the page");
    }
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;"));
    assert!(page.contains("<span class=\"unseen\">\\u{202e}</span>"));
}

#[cfg(unix)]
#[test]
fn what_does_not_show_in_a_name_is_marked_in_the_page() {
    let root = folder(&[("turned \u{202e} \u{7}\n/.brute/SYSTEM.md", "You are Rex.")]);
    let cwd = root.path().join("turned \u{202e} \u{7}\n");
    fs::create_dir(cwd.join(".git")).unwrap();
    let page = page(&cwd, &["--model", "m\u{200b}", "--tools", "read,t\u{202e}"]);
    for unseen in ['\u{202e}', '\u{7}', '\u{200b}'] {
        assert!(!page.contains(unseen), "{unseen:?} is in the page");
    }
    let marked = "turned <span class=\"unseen\">\\u{202e}</span>";
    let marks = page.lines().filter(|line| line.contains(marked)).count();
    assert!(marks >= 2, "the directory and the source are not both marked: {page}");
    assert!(page.contains("SYSTEM.md</span>"), "{page}");
    assert!(page.contains("<title>Prompt for anthropic m\\u{200b}</title>"), "{page}");
}

#[test]
fn the_page_loads_nothing_from_elsewhere() {
    let folder = workspace();
    let page = page(folder.path(), &[]);
    for part in ["src=", "href=", "url(", "@import", "http://", "https://", "<link", "<iframe"] {
        assert!(!page.contains(part), "{part:?} is in the page");
    }
    assert!(page.contains("default-src 'none'"));
    assert!(page.contains("prefers-color-scheme: dark"));
}

#[test]
fn the_page_marks_zones_boundaries_and_cuts() {
    let folder = workspace();
    let page = page(folder.path(), &[]);
    let report = json(folder.path(), &["--workspace-files", "--provider", "anthropic"]);
    for section in report["sections"].as_array().unwrap() {
        let (name, zone) = (section["name"].as_str().unwrap(), section["zone"].as_str().unwrap());
        let head =
            format!("<section class=\"section {zone}\">\n<div class=\"head\"><h3>{name}</h3>");
        assert!(page.contains(&head), "{head}");
    }
    assert_eq!(page.matches("cache boundary: ").count(), 2);
    assert_eq!(page.matches("<span class=\"cut\">[Truncated here: ").count(), 1);
    assert_eq!(page.matches("<figure class=\"truncated\">").count(), 1);
    assert_eq!(page.matches("<figure class=\"missing\">").count(), 3);
}

#[test]
fn a_page_that_cannot_be_written_is_named() {
    let folder = folder(&[]);
    let output = run(folder.path(), &["--html", "no/such/page.html"]);
    assert_eq!(output.status.code(), Some(1));
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert!(complaint.contains("cannot write the page no/such/page.html"), "{complaint}");
}
