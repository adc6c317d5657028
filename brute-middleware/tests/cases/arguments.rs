//! What the runner is asked to do, in the words that any test of cargo understands.

/// The argument by which the runner asks itself to make calls in another process.
pub(crate) const ANSWER: &str = "--answer-calls";

/// Options that take their value from the next argument.
const WITH_VALUE: [&str; 7] =
    ["--color", "--format", "--logfile", "--shuffle-seed", "--skip", "--test-threads", "-Z"];

/// What is to be done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Wish {
    #[default]
    Run,
    List,
    Answer,
}

/// The arguments of one run.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    pub(crate) wish: Wish,
    names: Vec<String>,
    skipped: Vec<String>,
    exact: bool,
    /// Whether only ignored tests are wanted, of which there are none.
    ignored: bool,
}

impl Arguments {
    /// Reads the arguments; options that change nothing here are accepted.
    pub(crate) fn read(mut arguments: impl Iterator<Item = String>) -> Self {
        let mut read = Self::default();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                ANSWER => read.wish = Wish::Answer,
                "--list" => read.wish = Wish::List,
                "--exact" => read.exact = true,
                "--ignored" => read.ignored = true,
                "--skip" => read.skipped.extend(arguments.next()),
                option if WITH_VALUE.contains(&option) => drop(arguments.next()),
                option if option.starts_with('-') => {}
                _ => read.names.push(argument),
            }
        }
        read
    }

    /// Tells whether the case of this name is to be run.
    pub(crate) fn wants(&self, case: &str) -> bool {
        let fits = |name: &String| if self.exact { case == name } else { case.contains(name) };
        let is_named = self.names.is_empty() || self.names.iter().any(fits);
        !self.ignored && is_named && !self.skipped.iter().any(fits)
    }
}
