//! The little of Markdown that is read: where fenced code begins and ends.

/// Knows, line by line, whether code is fenced.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fence(Option<(char, usize)>);

impl Fence {
    /// Returns true where the line is fenced code or a fence itself.
    pub(crate) fn holds(&mut self, line: &str) -> bool {
        match (self.0, fence(line)) {
            (None, Some((mark, length, rest))) if mark == '~' || !rest.contains('`') => {
                self.0 = Some((mark, length));
                true
            }
            (None, _) => false,
            (Some((open, least)), Some((mark, length, rest))) => {
                if open == mark && length >= least && rest.trim().is_empty() {
                    self.0 = None;
                }
                true
            }
            (Some(_), None) => true,
        }
    }
}

/// Returns the mark of a fence, its length, and what follows on the line.
fn fence(line: &str) -> Option<(char, usize, &str)> {
    let text = line.trim_start_matches(' ');
    if line.len() - text.len() > 3 {
        return None;
    }
    let mark = text.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let rest = text.trim_start_matches(mark);
    let length = text.len() - rest.len();
    (length >= 3).then_some((mark, length, rest))
}
