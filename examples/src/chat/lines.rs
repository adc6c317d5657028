//! Reads what is typed, or what is piped in, line by line.

use std::{
    fmt,
    io::{self, BufRead, IsTerminal},
    path::{Path, PathBuf},
    sync::mpsc::{Sender, channel},
    thread,
};

use rustyline::{CompletionType, Config, Editor, error::ReadlineError, history::FileHistory};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::{completion::Commands, turn::interrupt};
use crate::folder;

/// What was read.
pub(super) enum Line {
    Text(String),
    /// Ctrl-C, which takes back what was typed.
    Interrupted,
    End,
    Failed(String),
}

/// The lines that are read, on a thread that waits for them.
pub(super) struct Lines {
    pub(super) is_terminal: bool,
    prompts: Sender<&'static str>,
    read: UnboundedReceiver<Line>,
}

impl Lines {
    /// Reads from the terminal, where commands are completed, or from whatever is piped in.
    pub(super) fn open(commands: Vec<String>, history: Option<PathBuf>) -> io::Result<Self> {
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        let (prompts, asked) = channel();
        let (sender, read) = unbounded_channel();
        let mut reader = reader(is_terminal, commands, history);
        // The program ends without the thread, which may be waiting for a line for ever.
        thread::Builder::new().name("brute-lines".into()).spawn(move || {
            for prompt in asked {
                if sender.send(reader(prompt)).is_err() {
                    break;
                }
            }
        })?;
        Ok(Self { is_terminal, prompts, read })
    }

    /// Waits for the next line.
    pub(super) async fn next(&mut self, prompt: &'static str) -> Line {
        if self.prompts.send(prompt).is_err() {
            return Line::End;
        }
        let line = async { self.read.recv().await.unwrap_or(Line::End) };
        if self.is_terminal {
            // Here Ctrl-C is a key like any other.
            return line.await;
        }
        tokio::select! {
            line = line => line,
            () = interrupt() => Line::End,
        }
    }
}

fn reader(
    is_terminal: bool,
    commands: Vec<String>,
    history: Option<PathBuf>,
) -> Box<dyn FnMut(&'static str) -> Line + Send> {
    if is_terminal {
        let mut editor = None;
        Box::new(move |prompt| {
            type_line(&mut editor, prompt, &commands, history.as_deref()).unwrap_or_else(failed)
        })
    } else {
        let mut piped = io::BufReader::new(io::stdin());
        Box::new(move |_| piped_line(&mut piped).unwrap_or_else(failed))
    }
}

fn failed(error: impl fmt::Display) -> Line {
    Line::Failed(format!("cannot read what is typed: {error}"))
}

fn piped_line(piped: &mut impl BufRead) -> io::Result<Line> {
    let mut line = String::new();
    Ok(match piped.read_line(&mut line)? {
        0 => Line::End,
        _ => Line::Text(line.trim_end_matches(['\r', '\n']).to_owned()),
    })
}

type LineEditor = Editor<Commands, FileHistory>;

fn type_line(
    editor: &mut Option<LineEditor>,
    prompt: &str,
    commands: &[String],
    history: Option<&Path>,
) -> Result<Line, String> {
    let editor = match editor {
        Some(editor) => editor,
        None => editor.insert(open_editor(commands, history)?),
    };
    match editor.readline(prompt) {
        Ok(line) => {
            keep(editor, history)?;
            Ok(Line::Text(line))
        }
        Err(ReadlineError::Interrupted) => Ok(Line::Interrupted),
        Err(ReadlineError::Eof) => Ok(Line::End),
        Err(error) => Err(error.to_string()),
    }
}

fn open_editor(commands: &[String], history: Option<&Path>) -> Result<LineEditor, String> {
    let config = Config::builder()
        .auto_add_history(true)
        .history_ignore_space(true)
        .completion_type(CompletionType::List)
        .build();
    let mut editor = LineEditor::with_config(config).map_err(|error| error.to_string())?;
    editor.set_helper(Some(Commands::new(commands)));
    if let Some(file) = history.filter(|file| file.exists()) {
        editor.load_history(file).map_err(|error| told(file, &error))?;
    }
    Ok(editor)
}

fn keep(editor: &mut LineEditor, history: Option<&Path>) -> Result<(), String> {
    match history {
        Some(file) => editor.append_history(file).map_err(|error| told(file, &error)),
        None => Ok(()),
    }
}

fn told(file: &Path, error: &ReadlineError) -> String {
    format!("the history {}: {error}", folder::shown(file))
}
