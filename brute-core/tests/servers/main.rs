//! Real models against servers that other people wrote; see `scripts/model-servers`.
//!
//! A program of its own, since what it tests depends on which servers are up: it runs one cell after
//! another, shows the table of server, wire and behaviour, and ends with a line that counts.

#![allow(clippy::print_stdout, reason = "a test without a harness reports by itself")]

mod aimock;
mod asked;
mod behaviour;
mod edge;
mod everywhere;
mod faithful;
mod kit;
mod llama;
mod llmock;
mod report;
mod spy;
mod stub;

use std::{env, panic, process::ExitCode};

use self::{
    kit::{Cell, Server},
    report::Report,
};

fn main() -> ExitCode {
    // What panics is shown with its cell; the stack says nothing that its words do not.
    panic::set_hook(Box::new(|panic| {
        println!("{}", panic.location().map_or_else(String::new, ToString::to_string));
    }));
    spy::read_logs();
    let wanted: Vec<_> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let cells = [
        aimock::cells(),
        llmock::cells(),
        llama::cells(),
        edge::cells(),
        everywhere::cells(),
        asked::cells(),
        faithful::cells(),
        everywhere::last(),
    ];
    let mut report = Report::default();
    for cell in cells.into_iter().flatten().filter(|cell| is_wanted(cell, &wanted)) {
        let outcome = cell.server.is_up().then(|| cell.run());
        report.add(&cell, outcome.as_ref());
    }
    report.print(Server::ALL.iter().filter(|server| server.is_up()).count());
    report.exit_code()
}

/// Tells whether a cell is among those that were asked for, by any words of its name.
fn is_wanted(cell: &Cell, wanted: &[String]) -> bool {
    wanted.iter().all(|word| cell.name().contains(word))
}
