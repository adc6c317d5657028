//! Keeps tests from calling real models.

use std::sync::atomic::{AtomicBool, Ordering};

use super::provider::shown_address;
use crate::{Error, ErrorKind};

static FORBIDDEN: AtomicBool = AtomicBool::new(false);

/// The variable that forbids real calls in a whole process.
const VARIABLE: &str = "BRUTE_FORBID_REAL_CALLS";

/// Refuses every call that would leave this machine, from now on and in the whole process.
///
/// For tests: a test that forgot to put a scripted model in place fails with a clear error instead
/// of costing money. Servers on the loopback address stay reachable. The variable
/// `BRUTE_FORBID_REAL_CALLS=1` does the same.
pub fn forbid_real_calls() {
    FORBIDDEN.store(true, Ordering::Relaxed);
}

/// Fails if an address is not on this machine while real calls are forbidden.
pub(super) fn check(base_url: &str, model: &str) -> Result<(), Error> {
    if !is_forbidden() || is_local(base_url) {
        return Ok(());
    }
    let message = format!(
        "real calls are forbidden in this process, and {model:?} would be asked at {}: put a scripted model in its place",
        shown_address(base_url),
    );
    Err(Error::new(ErrorKind::Invalid, message))
}

fn is_forbidden() -> bool {
    FORBIDDEN.load(Ordering::Relaxed)
        || std::env::var_os(VARIABLE).is_some_and(|value| !value.is_empty() && value != "0")
}

fn is_local(base_url: &str) -> bool {
    let address = base_url.parse::<http::Uri>().ok();
    let host = address.as_ref().and_then(http::Uri::host).unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost"
        || bare.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}
