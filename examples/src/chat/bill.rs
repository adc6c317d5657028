//! What turns used, and what that cost.

use std::io::{self, Write};

use brute_core::{Log, Role, Usage, models::ModelInfo};

use super::DIM;
use crate::model::Model;

/// What was used since the program started, and the prices of it.
#[derive(Clone, Debug)]
pub(super) struct Bill {
    info: ModelInfo,
    model: String,
    used: Usage,
}

impl Bill {
    pub(super) fn new(model: &Model) -> Self {
        Self { info: model.info.clone(), model: model.name(), used: Usage::default() }
    }

    /// Adds what a turn used, whose messages begin at a place, and shows its cost.
    ///
    /// A provider tells at the end of a call what it used, so that one which was stopped may have
    /// cost more.
    pub(super) fn write_turn(
        &mut self,
        out: &mut impl Write,
        log: &Log,
        begin: usize,
        is_whole: bool,
    ) -> io::Result<()> {
        let used = used(log, begin);
        self.used += used;
        match (self.info.cost(&used), self.info.cost(&self.used)) {
            (Some(turn), Some(all)) => {
                let rest = if is_whole { "" } else { ", without the call that ended early" };
                writeln!(out, "{DIM}cost {}, {} in all{rest}{DIM:#}", dollars(turn), dollars(all))
            }
            _ => writeln!(out, "{DIM}cost unknown: no prices of {} are known{DIM:#}", self.model),
        }
    }

    /// Shows what the whole conversation used, and how full the model is.
    pub(super) fn write_all(&self, out: &mut impl Write, log: &Log) -> io::Result<()> {
        let all = used(log, 0);
        let turns = log.iter().filter(|message| message.role == Role::User).count();
        let (read, written) = (all.total() - all.output, all.output);
        writeln!(out, "  messages of yours      {turns}")?;
        writeln!(out, "  tokens read            about {read}, {} of them cached", all.cache_read)?;
        writeln!(out, "  tokens written         about {written}")?;
        writeln!(out, "  tokens of the context  {}", self.context(log))?;
        let cost = self.info.cost(&self.used).map_or("unknown".to_owned(), dollars);
        writeln!(out, "  cost since the start   {cost}\n")
    }

    fn context(&self, log: &Log) -> String {
        let last = log.iter().rev().find_map(|message| message.usage).unwrap_or_default();
        if self.info.is_known {
            format!("about {} of {}", last.total(), self.info.context_window)
        } else {
            format!("about {}", last.total())
        }
    }
}

/// Returns what the calls used whose messages stand from a place on; a stopped call has none.
fn used(log: &Log, begin: usize) -> Usage {
    let usages = log.iter().skip(begin).filter_map(|message| message.usage);
    usages.fold(Usage::default(), |sum, usage| sum + usage)
}

/// Returns an amount with as many digits as a turn needs.
fn dollars(amount: f64) -> String {
    match amount {
        0.0 => "$0".to_owned(),
        amount if amount < 0.0001 => "less than $0.0001".to_owned(),
        amount => format!("${amount:.4}"),
    }
}
