//! The list of skills as texts see it.

use std::sync::Arc;

use minijinja::value::{Enumerator, Object, ObjectRepr, Value};

use crate::{SkillEntry, plain};

/// Returns the list; an entry is made when a text asks for it.
pub(crate) fn skills(skills: &Arc<[SkillEntry]>) -> Value {
    Value::from_object(Skills(skills.clone()))
}

#[derive(Debug)]
struct Skills(Arc<[SkillEntry]>);

impl Object for Skills {
    fn repr(self: &Arc<Self>) -> ObjectRepr {
        ObjectRepr::Seq
    }

    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        let index = key.as_usize().filter(|&index| index < self.0.len())?;
        Some(Value::from_object(Skill(self.0.clone(), index)))
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Seq(self.0.len())
    }
}

/// One skill of the list: each of its fields on one line.
#[derive(Debug)]
struct Skill(Arc<[SkillEntry]>, usize);

impl Object for Skill {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.get_value_by_str(key.as_str()?)
    }

    fn get_value_by_str(self: &Arc<Self>, field: &str) -> Option<Value> {
        let skill = self.0.get(self.1)?;
        match field {
            "name" => Some(Value::from(&plain::collapsed(&skill.name))),
            "description" => Some(Value::from(&plain::collapsed(&skill.description))),
            "location" => Some(Value::from(&plain::visible(&skill.location))),
            _ => None,
        }
    }

    fn enumerate(self: &Arc<Self>) -> Enumerator {
        Enumerator::Str(&["name", "description", "location"])
    }
}
