//! Reads the entries out of a listing, and says which of them are worth a look.

/// An entry of a listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry<'a> {
    /// The path, as a tool takes it.
    pub(super) path: &'a str,
    /// What it is.
    pub(super) kind: Kind,
}

/// What an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Directory,
    Other,
}

/// The endings of names of files that hold no text, or none that anybody reads.
const UNREADABLE: &str = "7z bin bmp class db dll exe gif gz ico jar jpeg jpg lock mp3 mp4 o pdf \
    png pyc so sqlite svg tar ttf wasm webp woff woff2 xz zip";

/// The names of files that say what a project is.
const MANIFESTS: &str = "cargo.toml package.json pyproject.toml go.mod pom.xml build.gradle \
    gemfile mix.exs cmakelists.txt makefile";

/// Reads the entries of a listing; notes of the tool are none.
pub(super) fn entries(listing: &str) -> impl Iterator<Item = Entry<'_>> {
    listing.lines().filter(|line| !line.trim().is_empty() && !is_note(line)).map(entry)
}

/// Tells whether a line is a note of the tool: a sentence in brackets.
pub(super) fn is_note(line: &str) -> bool {
    line.starts_with('[') && line.ends_with(']') && line.contains(' ')
}

fn entry(line: &str) -> Entry<'_> {
    let line = line.trim();
    if let Some(path) = line.strip_suffix('/').or_else(|| line.strip_suffix(" (dir)")) {
        return Entry { path, kind: Kind::Directory };
    }
    if let Some((path, _)) = line.split_once(" -> ") {
        return Entry { path, kind: Kind::Other };
    }
    match line.strip_suffix(" (no regular file)") {
        Some(path) => Entry { path, kind: Kind::Other },
        None => Entry { path: line.strip_suffix(" (file)").unwrap_or(line), kind: Kind::File },
    }
}

impl<'a> Entry<'a> {
    /// Returns the last part of the path.
    pub(super) fn name(&self) -> &'a str {
        self.path.rsplit('/').next().unwrap_or(self.path)
    }

    /// Returns the name without its ending.
    pub(super) fn stem(&self) -> &'a str {
        let name = self.name();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// Returns how early an unasked look at the file pays, 0 first; `None` for never.
    pub(super) fn rank(&self) -> Option<u8> {
        if self.kind != Kind::File {
            return None;
        }
        let name = self.name().to_lowercase();
        let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
        match ending {
            _ if name.starts_with("readme") => Some(0),
            _ if MANIFESTS.split(' ').any(|manifest| manifest == name) => Some(1),
            "md" | "txt" | "rst" | "adoc" => Some(2),
            _ if UNREADABLE.split(' ').any(|unreadable| unreadable == ending) => None,
            _ => Some(3),
        }
    }
}
