//! What a stack looks like, drawn from the stack itself.

use std::fmt;

/// The layers of a stack, outermost first, as a tree of lines.
///
/// What stands below a layer whose name ends in `Loop` is indented: it runs once for each model
/// call, everything above once for each turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    rows: Vec<Row>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    name: String,
    note: String,
    /// The names of the tools that the layer may add to those of a turn.
    offers: Vec<String>,
    branch: Picture,
}

impl Picture {
    /// Iterates over the names of the layers, outermost first, without those of branches.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.rows.iter().map(|row| row.name.as_str())
    }

    /// Iterates over the tools that layers say they offer, as the name of the layer and that of the
    /// tool, outermost first and with those of branches.
    pub fn offers(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut offers = Vec::new();
        self.collect_offers(&mut offers);
        offers.into_iter()
    }

    fn collect_offers<'a>(&'a self, offers: &mut Vec<(&'a str, &'a str)>) {
        for row in &self.rows {
            offers.extend(row.offers.iter().map(|tool| (row.name.as_str(), tool.as_str())));
            row.branch.collect_offers(offers);
        }
    }

    pub(super) fn push(&mut self, name: String) {
        let (note, offers, branch) = (String::new(), Vec::new(), Self::default());
        self.rows.push(Row { name, note, offers, branch });
    }

    pub(super) fn extend(&mut self, other: Self) {
        self.rows.extend(other.rows);
    }

    pub(super) fn note(&mut self, note: String) {
        if let Some(row) = self.rows.last_mut() {
            row.note = note;
        }
    }

    pub(super) fn offer(&mut self, tool: String) {
        if let Some(row) = self.rows.last_mut() {
            row.offers.push(tool);
        }
    }

    pub(super) fn branch(&mut self, branch: Self) {
        if let Some(row) = self.rows.last_mut() {
            row.branch.extend(branch);
        }
    }

    /// Draws the rows as lines of a tree and a remark.
    fn lines(&self, margin: &str, lines: &mut Vec<(String, String)>) {
        let mut margin = margin.to_owned();
        for (index, row) in self.rows.iter().enumerate() {
            let is_last = index + 1 == self.rows.len();
            let (edge, below) = if is_last { ("└ ", "  ") } else { ("├ ", "│ ") };
            lines.push((format!("{margin}{edge}{}", row.name), row.note.clone()));
            row.branch.lines(&format!("{margin}{below} "), lines);
            if row.name.ends_with("Loop") && !is_last {
                margin.push_str("│  ");
            }
        }
    }
}

impl fmt::Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::new();
        self.lines("", &mut lines);
        let width = lines.iter().map(|(line, _)| line.chars().count()).max().unwrap_or(0);
        for (line, note) in &lines {
            match note.as_str() {
                "" => writeln!(f, "{line}")?,
                note => writeln!(f, "{line:width$}   {note}")?,
            }
        }
        Ok(())
    }
}
