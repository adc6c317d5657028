//! Holds a conversation in a terminal, or with the lines of standard input.

mod bill;
mod command;
mod completion;
mod conversation;
mod lines;
mod session_file;
mod turn;

use std::io::Write;

use anstyle::Style;
use tower::BoxError;

use self::{
    conversation::{Conversation, Next},
    lines::{Line, Lines},
};
use crate::arguments::Chat;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Takes a turn for each line, until there are no more.
///
/// # Errors
/// Fails where the directory or the session cannot be read, where there is no such model, where a
/// turn failed that nobody at a terminal saw fail, where the session could not be kept, and where
/// `out` is closed.
pub(crate) async fn chat(out: &mut impl Write, chat: &Chat) -> Result<(), BoxError> {
    let mut conversation = Conversation::open(chat)?;
    let mut lines = Lines::open(conversation.commands(), chat.history.clone())?;
    conversation.greet(out, lines.is_terminal)?;
    loop {
        out.flush()?;
        match lines.next(conversation.prompt()).await {
            Line::End => {
                if lines.is_terminal {
                    writeln!(out)?;
                }
                break;
            }
            Line::Failed(complaint) => return Err(complaint.into()),
            Line::Interrupted => writeln!(out, "{DIM}Ctrl-D or /quit leaves{DIM:#}\n")?,
            Line::Text(text) if text.trim().is_empty() => {}
            Line::Text(text) => {
                if !lines.is_terminal {
                    conversation.repeat(out, &text)?;
                }
                if conversation.take(out, &text).await? == Next::Leave {
                    break;
                }
            }
        }
    }
    out.flush()?;
    conversation.close(lines.is_terminal)
}
