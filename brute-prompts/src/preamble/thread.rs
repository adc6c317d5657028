//! Which conversation goes on where a preamble is not wanted.

/// The names that a conversation may go by, from the closest to the widest.
///
/// # Example
///
/// ```
/// use brute_prompts::preamble::ThreadNames;
///
/// let names = ThreadNames {
///     run: Some("main"),
///     previous_stage: Some("plan"),
///     ..ThreadNames::default()
/// };
/// assert_eq!(names.id(), Some("main"));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreadNames<'a> {
    /// What the transition to the stage says.
    pub transition: Option<&'a str>,
    /// What the stage says.
    pub stage: Option<&'a str>,
    /// What the run says.
    pub run: Option<&'a str>,
    /// The classes of the group around the stage, of which the first counts.
    pub group_classes: &'a [&'a str],
    /// The stage that ran before.
    pub previous_stage: Option<&'a str>,
}

impl<'a> ThreadNames<'a> {
    /// Returns the name that counts; one that is blank does not.
    pub fn id(&self) -> Option<&'a str> {
        let group = self.group_classes.first().copied();
        let levels = [self.transition, self.stage, self.run, group, self.previous_stage];
        levels.into_iter().flatten().find(|name| !name.trim().is_empty())
    }
}
