//! Addresses, as they may be shown.

/// Stands where something of an address is not shown.
const HIDDEN: &str = "[…]";

/// Returns an address without what may be secret in it: name and password, query and fragment.
pub(in crate::models) fn shown_address(address: &str) -> String {
    let end = address.find(['?', '#']).unwrap_or(address.len());
    let cut = if end < address.len() { HIDDEN } else { "" };
    let address = &address[..end];
    let start = address.find("://").map_or(0, |at| at + 3);
    let (scheme, rest) = address.split_at(start);
    let host = rest.find('/').unwrap_or(rest.len());
    match rest[..host].rfind('@') {
        Some(at) => format!("{scheme}{HIDDEN}{}{cut}", &rest[at..]),
        None => format!("{address}{cut}"),
    }
}
