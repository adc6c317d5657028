//! Inputs of a prompt: values with a type, by name.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::{PromptError, PromptErrorKind, plain};

/// The values that a prompt reads as `inputs.<name>`; nested objects as `inputs.<name>.<name>`.
///
/// # Example
///
/// ```
/// use brute_prompts::user_prompt::Inputs;
///
/// let inputs = Inputs::parse(["strict=true", "retries=3", "target.os=linux"])?;
/// assert_eq!(inputs.get("retries"), Some(&3.into()));
/// assert_eq!(inputs.get("target").unwrap()["os"], "linux");
/// # Ok::<(), brute_prompts::PromptError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Inputs(Map<String, Value>);

impl Inputs {
    /// Reads inputs as they are written on a command line: `name=value`, nested as `a.b=value`.
    ///
    /// `true`, `false` and whole numbers have their types, as have JSON objects, lists and quoted
    /// texts; everything else is text as it stands. Of two values for one name the last counts.
    ///
    /// # Errors
    ///
    /// Fails where there is no `=` or no name in front of it, and where a name would be both a
    /// value and an object.
    pub fn parse<S: AsRef<str>>(pairs: impl IntoIterator<Item = S>) -> Result<Self, PromptError> {
        let mut inputs = Self::default();
        for pair in pairs {
            inputs.parse_one(pair.as_ref())?;
        }
        Ok(inputs)
    }

    /// Returns an input.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// Gives an input; one of the same name makes room.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<Value>) {
        self.0.insert(name.into(), value.into());
    }

    /// Iterates over names and values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    fn parse_one(&mut self, pair: &str) -> Result<(), PromptError> {
        let (path, value) = pair.split_once('=').ok_or_else(|| invalid(pair, "has no `=`"))?;
        let names: Vec<&str> = path.split('.').map(str::trim).collect();
        let [folders @ .., name] = names.as_slice() else { return Ok(()) };
        if names.contains(&"") {
            return Err(invalid(pair, "has no name in front of `=` or beside a dot"));
        }
        let mut object = &mut self.0;
        for folder in folders {
            let inner = object.entry(*folder).or_insert_with(|| Map::new().into());
            let Value::Object(inner) = inner else {
                return Err(invalid(pair, &format!("puts something into `{folder}`, a value")));
            };
            object = inner;
        }
        object.insert((*name).to_owned(), typed(value));
        Ok(())
    }
}

impl From<Map<String, Value>> for Inputs {
    fn from(values: Map<String, Value>) -> Self {
        Self(values)
    }
}

/// Returns the value that a text is meant to be. A number that would be written otherwise, such as
/// `1.10` or `007`, is text.
fn typed(text: &str) -> Value {
    match serde_json::from_str(text.trim()) {
        Ok(Value::Number(number)) if number.to_string() == text.trim() && !number.is_f64() => {
            number.into()
        }
        Ok(Value::Number(_) | Value::Null) | Err(_) => text.into(),
        Ok(value) => value,
    }
}

fn invalid(pair: &str, why: &str) -> PromptError {
    let message = format!("the input {:?} {why}; write name=value", plain::visible(pair));
    PromptError::new(PromptErrorKind::InvalidName, message)
}
