//! What the gates of skills ask of the machine.

use std::{env, ffi::OsStr, fmt, path::Path};

/// Answers the questions of [`Gates`](super::Gates); a test or a sandbox answers them its own way.
pub trait Machine: fmt::Debug + Send + Sync {
    /// Returns the name of the system, such as `linux`, `macos` or `windows`.
    fn os(&self) -> String;
    /// Tells whether a program is on the path.
    fn has_program(&self, name: &str) -> bool;
    /// Tells whether an environment variable is set and not empty.
    fn has_env(&self, name: &str) -> bool;
    /// Tells whether a setting of the host, such as `browser.enabled`, is switched on.
    fn is_configured(&self, name: &str) -> bool;
}

/// The machine that the program runs on, with the settings of the host.
#[derive(Clone, Debug, Default)]
pub struct ThisMachine {
    settings: serde_json::Value,
}

impl ThisMachine {
    /// Answers questions about settings from `settings`: a dot in a name steps into an object.
    ///
    /// False, null, zero and the empty text count as switched off.
    pub fn with_settings(settings: serde_json::Value) -> Self {
        Self { settings }
    }
}

impl Machine for ThisMachine {
    fn os(&self) -> String {
        env::consts::OS.to_owned()
    }

    fn has_program(&self, name: &str) -> bool {
        let path = env::var_os("PATH").unwrap_or_default();
        env::split_paths(&path).any(|folder| is_program(&folder, name))
    }

    fn has_env(&self, name: &str) -> bool {
        let sound = !name.is_empty() && !name.contains(['=', '\0']);
        sound && env::var_os(name).is_some_and(|value| !value.is_empty())
    }

    fn is_configured(&self, name: &str) -> bool {
        let setting = name.split('.').try_fold(&self.settings, |settings, key| settings.get(key));
        setting.is_some_and(is_on)
    }
}

fn is_on(value: &serde_json::Value) -> bool {
    use serde_json::Value;
    match value {
        Value::Null => false,
        Value::Bool(on) => *on,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(_) | Value::Object(_) => true,
    }
}

fn is_program(folder: &Path, name: &str) -> bool {
    let extension = OsStr::new(env::consts::EXE_EXTENSION);
    let file = folder.join(name);
    is_executable(&file)
        || (!extension.is_empty() && is_executable(&file.with_extension(extension)))
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file()
}
