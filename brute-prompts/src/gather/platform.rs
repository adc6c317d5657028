//! On which system the program runs.

use std::{env, fs, path::Path};

use serde::{Deserialize, Serialize};

/// The system and the user's shell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Platform {
    /// The operating system, such as `linux`, `macos` or `windows`.
    pub name: String,
    /// Its version, where it is known.
    pub os_version: Option<String>,
    /// The processor, such as `x86_64`.
    pub arch: Option<String>,
    /// The name of the shell, such as `zsh`.
    pub shell: Option<String>,
}

impl Platform {
    /// Returns the platform of this process.
    pub fn current() -> Self {
        Self {
            name: env::consts::OS.to_owned(),
            os_version: os_version(),
            arch: Some(env::consts::ARCH.to_owned()),
            shell: shell(),
        }
    }
}

fn os_version() -> Option<String> {
    match env::consts::OS {
        "linux" => {
            let release = fs::read_to_string("/proc/sys/kernel/osrelease").ok()?;
            Some(format!("Linux {}", release.trim()))
        }
        "macos" => {
            let list = "/System/Library/CoreServices/SystemVersion.plist";
            Some(format!("macOS {}", product_version(&fs::read_to_string(list).ok()?)?))
        }
        _ => None,
    }
}

/// Returns the version that a property list of macOS gives.
fn product_version(list: &str) -> Option<&str> {
    let (_, rest) = list.split_once("<key>ProductVersion</key>")?;
    let (version, _) = rest.split_once("<string>")?.1.split_once("</string>")?;
    Some(version.trim())
}

fn shell() -> Option<String> {
    let path = env::var_os("SHELL").or_else(|| env::var_os("COMSPEC"))?;
    Some(Path::new(&path).file_stem()?.to_string_lossy().into_owned())
}
