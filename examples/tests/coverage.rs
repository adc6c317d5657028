//! Holds what the page on coverage says: no row is missing, and all that it names exists.

mod pages;

use std::{collections::BTreeSet, path::Path};

use pages::{code_spans, holds_test, is_source_file, read};

const PAGE: &str = "docs/coverage.md";

/// How many rows each group has, in the order of the page.
const GROUPS: [(&str, usize); 9] = [
    ("BR-", 98),
    ("FS-", 17),
    ("FP-", 53),
    ("FB-", 46),
    ("BU-", 26),
    ("C-", 28),
    ("X-", 8),
    ("row ", 145),
    ("fault ", 44),
];

/// Returns the cells of every line of a table, but those of its head.
fn rows(page: &str) -> Vec<Vec<&str>> {
    let lines = page.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    let cells = lines.map(|line| line.split(" | ").map(str::trim).collect::<Vec<_>>());
    cells.filter(|cells| cells[0] != "id" && cells[0] != "what").collect()
}

/// Returns the rows that have an id.
fn numbered(page: &str) -> Vec<Vec<&str>> {
    let is_numbered = |cells: &Vec<&str>| {
        GROUPS.iter().any(|(group, _)| cells[0].strip_prefix(group).is_some_and(is_number))
    };
    rows(page).into_iter().filter(is_numbered).collect()
}

fn is_number(text: &str) -> bool {
    text.parse::<usize>().is_ok()
}

/// Checks the files and tests of one cell: each test stands in the file named before it.
fn check_named(cell: &str, row: &str) {
    let mut place = "";
    for span in code_spans(cell) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(span);
        if span.contains('/') && path.exists() {
            place = span;
        } else {
            assert!(is_held(place, span), "{row}: {place:?} has no {span:?}");
        }
    }
}

/// Tells whether a file holds this test, or a folder this entry.
fn is_held(place: &str, name: &str) -> bool {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let path = root.join(place);
    let is_entry = !place.is_empty() && path.is_dir() && path.join(name).exists();
    is_entry || path.is_file() && holds_test(&read(place), name)
}

#[test]
fn every_row_is_there_once_and_in_order() {
    let page = read(PAGE);
    let ids: Vec<_> = numbered(&page).iter().map(|cells| cells[0].to_owned()).collect();
    let of_group = |(group, count): (&str, usize)| -> Vec<String> {
        (1..=count).map(|number| format!("{group}{number}")).collect()
    };
    assert_eq!(ids, GROUPS.into_iter().flat_map(of_group).collect::<Vec<_>>());
}

#[test]
fn every_row_says_what_it_is_about_and_what_holds_it() {
    let page = read(PAGE);
    for cells in rows(&page) {
        let (is_numbered, row) = (cells.len() == 4, cells[0]);
        assert!(is_numbered || cells.len() == 2, "{row} has {} cells", cells.len());
        assert!(!is_numbered || !cells[1].is_empty(), "{row} says nothing");
        let held = cells[cells.len() - 1];
        let (is_later, is_left_out) = (held.starts_with("later"), held.starts_with("left out: "));
        let is_held = code_spans(held).iter().any(|span| is_source_file(span));
        assert!(
            is_held || is_numbered && (is_later || is_left_out) || held == "`.ci/run`",
            "{row}: {held}"
        );
        assert!(
            is_later || is_left_out || !is_numbered || !cells[2].is_empty(),
            "{row} lives nowhere"
        );
    }
}

#[test]
fn every_place_that_a_row_names_exists() {
    let page = read(PAGE);
    let places: BTreeSet<_> =
        numbered(&page).iter().flat_map(|cells| code_spans(cells[2])).collect();
    assert!(places.len() > 80, "only {} places were found", places.len());
    for place in places {
        assert!(is_source_file(place) && !read(place).is_empty() || is_words(place), "{place}");
    }
}

/// Tells whether a place is a folder of words for the model.
fn is_words(place: &str) -> bool {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    place.starts_with("brute-prompts/text/") && root.join(place).exists()
}

#[test]
fn every_test_that_a_row_names_exists() {
    let page = read(PAGE);
    let rows = rows(&page);
    for cells in &rows {
        check_named(cells[cells.len() - 1], cells[0]);
    }
    let held = rows.iter().filter(|cells| !code_spans(cells[cells.len() - 1]).is_empty()).count();
    assert!(held > 350, "only {held} rows name a test");
}
