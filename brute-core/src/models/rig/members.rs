//! The members of a JSON object, whose values are not read.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

/// The members of a JSON object in their order, their values as they are written.
pub(super) struct Members<'a>(Vec<(String, Cow<'a, RawValue>)>);

impl<'a> Members<'a> {
    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Cow<'a, RawValue>> {
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

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
        let mut members = Vec::new();
        while let Some((name, value)) = map.next_entry::<String, &'de RawValue>()? {
            members.push((name, Cow::Borrowed(value)));
        }
        Ok(Members(members))
    }
}
