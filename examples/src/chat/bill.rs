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
    /// Whether a provider kept to itself what a call used.
    is_partial: bool,
}

impl Bill {
    pub(super) fn new(model: &Model) -> Self {
        let (info, model) = (model.info.clone(), model.name());
        Self { info, model, used: Usage::default(), is_partial: false }
    }

    /// Adds what a turn used, whose messages begin at a place, and shows its cost.
    ///
    /// A provider tells at the end of a call what it used, if at all: what a turn that did not come
    /// to its end cost is not known.
    pub(super) fn write_turn(
        &mut self,
        out: &mut impl Write,
        log: &Log,
        begin: usize,
        is_whole: bool,
    ) -> io::Result<()> {
        let used = used(log, begin);
        self.used += used;
        let is_partial = !is_whole || is_untold(log, begin);
        self.is_partial |= is_partial;
        let Some(cost) = self.info.cost(&used) else {
            return writeln!(out, "{DIM}cost {}{DIM:#}", self.cost());
        };
        let cost = told(cost, is_partial);
        writeln!(out, "{DIM}cost {cost}; in all {}{DIM:#}", self.cost())
    }

    /// Returns what all turns since the start cost.
    fn cost(&self) -> String {
        match self.info.cost(&self.used) {
            Some(cost) => told(cost, self.is_partial),
            None => format!("unknown: no prices of {} are known", self.model),
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
        writeln!(out, "  cost since the start   {}\n", self.cost())
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

/// Tells whether a call used something and nobody told what.
fn is_untold(log: &Log, begin: usize) -> bool {
    let answers = log.iter().skip(begin).filter(|message| message.role == Role::Assistant);
    answers.map(|message| message.usage.unwrap_or_default()).any(|usage| usage.total() == 0)
}

/// Returns an amount that may lack what nobody told.
fn told(amount: f64, is_partial: bool) -> String {
    let amount = dollars(amount);
    if is_partial { format!("{amount} and what the provider did not tell") } else { amount }
}

/// Returns an amount with as many digits as a turn needs.
fn dollars(amount: f64) -> String {
    match amount {
        0.0 => "$0".to_owned(),
        amount if amount < 0.0001 => "less than $0.0001".to_owned(),
        amount => format!("${amount:.4}"),
    }
}
