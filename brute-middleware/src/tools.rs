//! The built-in tools: what the model may do unless you offer it something else.

mod list;
mod load_skill;
mod look;
mod place;
mod read;
mod search;
mod show;
mod stop;

use brute_core::Toolbox;

pub use self::{
    list::{List, ListLimits},
    load_skill::{LoadSkill, UseSkill},
    read::{Read, ReadLimits},
    search::{Search, SearchLimits},
};

/// Offers the tools that only look: [`List`], [`Read`] and [`Search`].
///
/// Relative paths start from the working directory that the facts of the turn name, or else from
/// that of the process.
///
/// ```
/// let toolbox = brute_middleware::tools::looking();
/// let names: Vec<_> = toolbox.specs().map(|spec| &*spec.name).collect();
/// assert_eq!(names, ["list", "read", "search"]);
/// ```
pub fn looking() -> Toolbox {
    let toolbox = Toolbox::default()
        .with(List::new())
        .and_then(|toolbox| toolbox.with(Read::new()))
        .and_then(|toolbox| toolbox.with(Search::new()));
    // Only two tools of one name could fail, and these are three names.
    toolbox.unwrap_or_default()
}
