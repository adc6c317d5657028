//! Addresses, as they may be shown.

/// Stands where something of an address is not shown.
const HIDDEN: &str = "[…]";

/// Returns an address without what may be secret in it: name and password, query and fragment.
///
/// A password may hold a `/`, `?` or `#` that should have been escaped, so all before the last `@`
/// counts as name and password; and behind a `?` or `#` an `@` may belong to a query as well.
pub(in crate::models) fn shown_address(address: &str) -> String {
    let (scheme, rest) = address.split_at(scheme_end(address));
    let (user, place) = rest.rsplit_once('@').map_or(("", rest), |(user, _)| {
        let place = &rest[user.len()..];
        (user, if user.contains(['?', '#']) { "" } else { place })
    });
    let end = place.find(['?', '#']).unwrap_or(place.len());
    let hidden = if user.is_empty() { "" } else { HIDDEN };
    let cut = if end < place.len() { HIDDEN } else { "" };
    format!("{scheme}{hidden}{}{cut}", &place[..end])
}

/// Tells whether an `@` stands behind what could be the host: nobody can tell whether it ends a
/// password or belongs to the path.
pub(in crate::models) fn has_doubtful_user(address: &str) -> bool {
    let user = address[scheme_end(address)..].rsplit_once('@');
    user.is_some_and(|(user, _)| user.contains(['/', '\\', '?', '#']))
}

/// Returns where `http://` or `https://` ends; any other may be a name or a part of a password.
fn scheme_end(address: &str) -> usize {
    let scheme = address.split_once("://").map(|(scheme, _)| scheme);
    let is_http =
        |scheme: &&str| ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    scheme.filter(is_http).map_or(0, |scheme| scheme.len() + 3)
}
