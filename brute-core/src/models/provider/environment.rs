//! Finds a provider by the keys that lie in the environment.

use super::{Family, Provider};
use crate::{Error, ErrorKind};

/// Picks the first provider whose key is in the environment.
///
/// # Errors
/// Fails with [`ErrorKind::Authentication`] if there is none, and says what was looked for.
pub fn from_env() -> Result<Provider, Error> {
    from_variables(|name| std::env::var(name).ok())
}

/// Picks the first provider whose key is among some variables.
///
/// ```
/// use brute_core::models;
///
/// let provider = models::from_variables(|name| {
///     (name == "GEMINI_API_KEY").then(|| "a key".to_owned())
/// })?;
/// assert_eq!(provider.name(), "google");
/// # Ok::<(), brute_core::Error>(())
/// ```
///
/// # Errors
/// As for [`from_env`].
pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Provider, Error> {
    let candidates = || Family::ALL.into_iter().filter(|family| family.is_found_by_key());
    let mut found = candidates().map(|family| {
        let mut provider = Provider::new(family);
        provider.fill(&variable);
        provider
    });
    let is_whole = |provider: &Provider| {
        let has_address = provider.base_url.is_some() || !provider.family.needs_base_url();
        provider.key.is_some() && has_address
    };
    found.find(is_whole).ok_or_else(|| {
        let names: Vec<_> = candidates().flat_map(Family::key_variables).copied().collect();
        let message =
            format!("there is no key in the environment: looked for {}", names.join(", "));
        Error::new(ErrorKind::Authentication, message)
    })
}
