//! Tells binary files from text.

use std::path::Path;

/// How many bytes at the start of a file are looked at.
pub(super) const SAMPLE: usize = 4096;

/// The endings of files that hold no text, whatever their first bytes are.
const ENDINGS: &str = "7z a avi bin bmp bz2 class db dll dylib eot exe flv gif gz ico jar jpeg jpg \
    mov mp3 mp4 o otf pdf png pyc pyo rar so sqlite sqlite3 tar ttf war wasm webp wmv woff woff2 xz \
    zip zst";

/// Says why a file is no text, from its name and its first bytes.
pub(super) fn reason(path: &Path, sample: &[u8]) -> Option<String> {
    if let Some(ending) = binary_ending(path) {
        return Some(format!("its name ends in .{ending}"));
    }
    sample.contains(&0).then(|| format!("there is a NUL in its first {} bytes", sample.len()))
}

fn binary_ending(path: &Path) -> Option<String> {
    let ending = path.extension()?.to_str()?.to_lowercase();
    ENDINGS.split(' ').any(|known| known == ending).then_some(ending)
}
