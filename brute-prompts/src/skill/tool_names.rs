//! The tools that a skill names, however its author separated them.

/// Returns the names in the order written, each once.
///
/// Blanks and commas separate names, except within brackets: `Bash(git add:*)` is one.
pub(crate) fn tool_names(texts: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for text in texts {
        for name in split(&text) {
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    names
}

fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    let names = text.split(move |character: char| {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0 && (character == ',' || character.is_whitespace())
    });
    names.filter(|name| !name.is_empty())
}
