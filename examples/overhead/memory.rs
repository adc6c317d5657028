//! How much memory this process holds, where the system tells.

use std::fs;

/// Returns the resident memory in KiB.
pub(crate) fn resident_kib() -> Option<u64> {
    status("VmRSS:")
}

/// Returns the most that was ever resident, in KiB.
pub(crate) fn peak_kib() -> Option<u64> {
    status("VmHWM:")
}

fn status(key: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace().next()?.parse().ok()
}
