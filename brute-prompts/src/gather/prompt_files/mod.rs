//! Finds the prompt that a user keeps in a file.

mod config;
mod options;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use self::config::{PromptConfig, read_config};
pub use self::options::{PromptFileOptions, workspace_root};
use super::read::{is_missing, read_bytes};
use crate::{
    PromptError, PromptErrorKind, PromptFile, PromptFileLevel, PromptSettings,
    normalise::without_mark,
};

/// The most bytes that a prompt file or a configuration may have.
const MAX_BYTES: u64 = 2 << 20;

const TOO_LARGE: &str = "it is larger than 2 MiB; shorten it";

/// Returns the strongest prompt file that is there and says something, or nothing where the words
/// that ship count.
///
/// From the strongest: the file that a configuration names for the role, first that of the
/// project; the file that the configuration of the project names; `SYSTEM.md` of the project; both
/// of the user.
///
/// # Errors
///
/// Fails where a file that is there cannot be read or is not UTF-8, and where a configuration is
/// not valid. The error names the file.
///
/// # Example
///
/// ```
/// use brute_prompts::gather::{PromptFileOptions, resolve_prompt_file};
///
/// let options = PromptFileOptions::brute(None, Some("/nowhere".as_ref()));
/// assert_eq!(resolve_prompt_file(&options)?, None);
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
pub fn resolve_prompt_file(options: &PromptFileOptions) -> Result<Option<PromptFile>, PromptError> {
    let candidates = Configs::read(options)?.candidates(options);
    for (level, path) in candidates.into_iter().rev() {
        let Some(text) = read(&path)? else { continue };
        // White space in front stays for now, or the lines of errors would not be those of the file.
        let text = text.trim_end();
        if !text.is_empty() {
            return Ok(Some(PromptFile { path, level, text: text.into() }));
        }
    }
    Ok(None)
}

/// Returns the file that replaces the prompt of a supervisor, or nothing where none is configured.
///
/// It is no template, and it may be empty. Call this when a supervisor runs for the first time.
///
/// # Errors
///
/// Fails where the file is missing or cannot be read, because it was asked for by name.
pub fn resolve_supervisor_file(
    options: &PromptFileOptions,
) -> Result<Option<PromptFile>, PromptError> {
    let configs = Configs::read(options)?;
    let home = configs.home.reviewer_file(options).map(|path| (PromptFileLevel::HomeConfig, path));
    let workspace = configs.workspace.reviewer_file(options);
    let workspace = workspace.map(|path| (PromptFileLevel::WorkspaceConfig, path));
    let Some((level, path)) = workspace.or(home) else {
        return Ok(None);
    };
    let Some(text) = read(&path)? else {
        return Err(missing(&path));
    };
    Ok(Some(PromptFile { path, level, text: text.trim().into() }))
}

/// Returns the settings with what the configurations say laid over them.
///
/// # Errors
///
/// Fails where a configuration cannot be read or is not valid.
pub fn configured_settings(
    options: &PromptFileOptions,
    settings: PromptSettings,
) -> Result<PromptSettings, PromptError> {
    let configs = Configs::read(options)?;
    let tool_preambles = configs.workspace.tool_preambles.or(configs.home.tool_preambles);
    Ok(PromptSettings {
        tool_preambles: tool_preambles.unwrap_or(settings.tool_preambles),
        ..settings
    })
}

/// The configurations of the user and of the project.
struct Configs {
    home: PromptConfig,
    workspace: PromptConfig,
}

impl Configs {
    fn read(options: &PromptFileOptions) -> Result<Self, PromptError> {
        Ok(Self {
            home: read_config(options.home_folder.as_deref())?,
            workspace: read_config(options.workspace_folder.as_deref())?,
        })
    }

    /// Returns the files that may hold the prompt, from the weakest to the strongest.
    fn candidates(&self, options: &PromptFileOptions) -> Vec<(PromptFileLevel, PathBuf)> {
        use PromptFileLevel::{Home, HomeConfig, Role, Workspace, WorkspaceConfig};
        let own = |folder: Option<&Path>| folder.map(|folder| folder.join("SYSTEM.md"));
        let candidates = [
            (Home, own(options.home_folder.as_deref())),
            (HomeConfig, self.home.prompt_file(options)),
            (Workspace, own(options.workspace_folder.as_deref())),
            (WorkspaceConfig, self.workspace.prompt_file(options)),
            (Role, self.home.role_file(options)),
            (Role, self.workspace.role_file(options)),
        ];
        candidates.into_iter().filter_map(|(level, path)| Some((level, path?))).collect()
    }
}

/// Returns the text of a file, or nothing where there is none.
fn read(path: &Path) -> Result<Option<String>, PromptError> {
    let bytes = match fs::metadata(path) {
        Ok(metadata) if metadata.is_file() => whole_file(path),
        Ok(_) => Err(io::Error::other("it is not a file")),
        Err(error) => Err(error),
    };
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(error) if is_missing(&error) => return Ok(None),
        Err(error) => return Err(unreadable(path, error)),
    };
    let text = String::from_utf8(bytes).map_err(|error| not_utf8(path, error))?;
    Ok(Some(without_mark(&text).to_owned()))
}

fn whole_file(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if read_bytes(path, MAX_BYTES, &mut bytes)? {
        return Err(io::Error::other(TOO_LARGE));
    }
    Ok(bytes)
}

fn unreadable(path: &Path, error: io::Error) -> PromptError {
    let message = format!("a prompt file cannot be read: {error}");
    PromptError::new(PromptErrorKind::Io, message)
        .in_file(path.display().to_string())
        .caused_by(error)
}

fn not_utf8(path: &Path, error: std::string::FromUtf8Error) -> PromptError {
    PromptError::new(PromptErrorKind::NotUtf8, "a prompt file is not UTF-8; save it as UTF-8")
        .in_file(path.display().to_string())
        .caused_by(error)
}

fn missing(path: &Path) -> PromptError {
    let message = "the prompt file that a configuration names is not there; create it, or take `system_prompt_file` out of the `config.toml`";
    PromptError::new(PromptErrorKind::NotFound, message).in_file(path.display().to_string())
}
