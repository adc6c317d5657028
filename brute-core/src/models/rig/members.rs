//! The members of a JSON object, whose values are not read.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

/// The members of a JSON object in their order, their values as they are written.
pub(super) struct Members(pub(super) Vec<(String, Box<RawValue>)>);

impl Members {
    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Box<RawValue>> {
        self.0.iter_mut().find(|(own, _)| own == name).map(|(_, value)| value)
    }

    pub(super) fn to_json(&self) -> Vec<u8> {
        let length: usize = self.0.iter().map(|(name, value)| name.len() + value.get().len()).sum();
        let mut json = String::with_capacity(length + 8 * self.0.len() + 2);
        json.push('{');
        for (index, (name, value)) in self.0.iter().enumerate() {
            if index > 0 {
                json.push(',');
            }
            json.push_str(&serde_json::Value::from(name.as_str()).to_string());
            json.push(':');
            json.push_str(value.get());
        }
        json.push('}');
        json.into_bytes()
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Members;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Members(members))
    }
}
