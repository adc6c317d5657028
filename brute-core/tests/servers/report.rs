//! What came out: a line for each cell, the table, and the line that counts.

use std::{collections::BTreeMap, process::ExitCode};

use super::kit::Cell;

/// What came out of the cells so far.
#[derive(Default)]
pub(crate) struct Report {
    rows: BTreeMap<String, Vec<(&'static str, &'static str)>>,
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Report {
    /// Adds the outcome of a cell, which has none if its server is down.
    pub(crate) fn add(&mut self, cell: &Cell, outcome: Option<&Result<(), String>>) {
        let mark = match outcome {
            None => "skipped",
            Some(Ok(())) => "ok",
            Some(Err(_)) => "FAILED",
        };
        println!("{mark:7} {}", cell.name());
        if let Some(Err(complaint)) = outcome {
            println!("        {}", complaint.replace('\n', "\n        "));
        }
        match outcome {
            None => self.skipped += 1,
            Some(Ok(())) => self.passed += 1,
            Some(Err(_)) => self.failed += 1,
        }
        let row = format!("{} | {}", cell.server.name(), cell.wire);
        self.rows.entry(row).or_default().push((cell.behaviour, mark));
    }

    /// Shows the table and the line that counts.
    pub(crate) fn print(&self, up: usize) {
        println!("\n| server | wire | behaviours |\n|---|---|---|");
        for (row, cells) in &self.rows {
            let cells: Vec<_> = cells
                .iter()
                .map(|&(behaviour, mark)| match mark {
                    "ok" => behaviour.to_owned(),
                    mark => format!("{behaviour} ({mark})"),
                })
                .collect();
            println!("| {row} | {} |", cells.join(", "));
        }
        let failed =
            if self.failed > 0 { format!(", {} failed", self.failed) } else { String::new() };
        println!(
            "\nservers: {up} up, {} tests passed{failed}, {} skipped",
            self.passed, self.skipped
        );
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        if self.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}
