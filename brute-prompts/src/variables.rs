//! The context as texts see it, and a note of what they looked at.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use minijinja::value::{Object, Serde, Value};

use crate::{
    Family, PromptContext, ToolNames, Zone,
    fields::FIELDS,
    tools::{BUILT_IN_TOOLS, HOST_TOOLS},
};

/// The mark of a look at a fact that the host added.
const EXTRA: u32 = 1 << 30;

/// The mark of a look at a name that stands for nothing.
const ABSENT: u32 = 1 << 31;

/// What a text looked at: a mark for each fact, besides the tools.
///
/// A text is a function of the tools and of what it looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Looks(u32);

impl Looks {
    /// Returns the zone of the most volatile fact.
    pub(crate) fn zone(self) -> Zone {
        let own = FIELDS.iter().enumerate().filter(|(index, _)| self.0 & (1 << index) != 0);
        let zone = own.map(|(_, field)| field.zone).max().unwrap_or_default();
        if self.0 & EXTRA == 0 { zone } else { zone.max(Zone::Session) }
    }

    /// Returns true where the contexts agree on everything that was looked at.
    pub(crate) fn agree(self, one: &PromptContext, other: &PromptContext) -> bool {
        one.tools == other.tools
            && (self.0 == 0 || self.fields().all(|index| (FIELDS[index].same)(one, other)))
            && (self.0 & (EXTRA | ABSENT) == 0 || one.extra == other.extra)
    }

    /// Returns a context that holds only what was looked at.
    pub(crate) fn only(self, ctx: &PromptContext) -> PromptContext {
        let mut seen = PromptContext { tools: ctx.tools.clone(), ..PromptContext::default() };
        for index in self.fields() {
            (FIELDS[index].copy)(&mut seen, ctx);
        }
        if self.0 & (EXTRA | ABSENT) != 0 {
            seen.extra.clone_from(&ctx.extra);
        }
        seen
    }

    fn fields(self) -> impl Iterator<Item = usize> {
        (0..FIELDS.len()).filter(move |index| self.0 & (1 << index) != 0)
    }
}

/// The root value of a render.
#[derive(Debug)]
pub(crate) struct Variables {
    ctx: PromptContext,
    looks: AtomicU32,
}

impl Variables {
    pub(crate) fn new(ctx: &PromptContext, family: &Family) -> Arc<Self> {
        let ctx = PromptContext { family: Some(family.clone()), ..ctx.clone() };
        Arc::new(Self { ctx, looks: AtomicU32::new(0) })
    }

    /// Returns the context, with its family resolved.
    pub(crate) fn ctx(&self) -> &PromptContext {
        &self.ctx
    }

    /// Returns what was looked at since the last call of this function.
    pub(crate) fn take_looks(&self) -> Looks {
        Looks(self.looks.swap(0, Ordering::Relaxed))
    }

    fn look(&self, mark: u32) {
        self.looks.fetch_or(mark, Ordering::Relaxed);
    }

    fn extra(&self, name: &str) -> Option<Value> {
        let value = self.ctx.extra.get(name);
        self.look(if value.is_some() { EXTRA } else { ABSENT });
        value.map(|value| Value::from(Serde(value)))
    }
}

impl Object for Variables {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.get_value_by_str(key.as_str()?)
    }

    fn get_value_by_str(self: &Arc<Self>, name: &str) -> Option<Value> {
        if name == "tools" {
            return Some(Value::from_object(Tools(self.ctx.tools.clone())));
        }
        let Some(index) = FIELDS.iter().position(|field| field.name == name) else {
            return self.extra(name);
        };
        self.look(1 << index);
        Some((FIELDS[index].value)(&self.ctx))
    }
}

/// Names of tools: a known one that is not on offer is none, an unknown one is undefined.
#[derive(Debug)]
struct Tools(ToolNames);

impl Object for Tools {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.get_value_by_str(key.as_str()?)
    }

    fn get_value_by_str(self: &Arc<Self>, name: &str) -> Option<Value> {
        let offered = self.0.shared(name).map(Value::from);
        let is_known = || BUILT_IN_TOOLS.contains(&name) || HOST_TOOLS.contains(&name);
        offered.or_else(|| is_known().then(|| Value::from(())))
    }

    fn is_true(self: &Arc<Self>) -> bool {
        !self.0.is_empty()
    }
}
