//! The context as templates see it, and a note of what they looked at.

use std::sync::{
    Arc,
    atomic::{AtomicU8, Ordering},
};

use minijinja::value::{Enumerator, Object, ObjectRepr, Serde, Value};

use crate::{
    Family, GitFacts, PromptContext, SkillEntry, ToolNames, Zone, plain, tools::BUILT_IN_TOOLS,
};

/// The names that every template may use; entries of `extra` come on top.
pub(crate) const NAMES: [&str; 19] = [
    "agent",
    "agent_switched",
    "custom_rules",
    "cwd",
    "date",
    "family",
    "git",
    "is_git",
    "max_steps_reached",
    "model",
    "os_version",
    "platform",
    "provider",
    "shell",
    "skill_tool",
    "skills",
    "skills_omitted",
    "timezone",
    "tools",
];

/// The root value of a render.
#[derive(Debug)]
pub(crate) struct Variables {
    ctx: PromptContext,
    family: Family,
    seen: AtomicU8,
}

impl Variables {
    pub(crate) fn new(ctx: &PromptContext, family: &Family) -> Arc<Self> {
        let (ctx, family) = (ctx.clone(), family.clone());
        Arc::new(Self { ctx, family, seen: AtomicU8::new(0) })
    }

    pub(crate) fn tools(&self) -> &ToolNames {
        &self.ctx.tools
    }

    pub(crate) fn family(&self) -> &Family {
        &self.family
    }

    /// Forgets what was looked at, before a render.
    pub(crate) fn begin(&self) {
        self.seen.store(0, Ordering::Relaxed);
    }

    /// Returns the zone of the most volatile fact that was looked at since [`begin`](Self::begin).
    pub(crate) fn zone_seen(&self) -> Zone {
        match self.seen.load(Ordering::Relaxed) {
            0 => Zone::Static,
            1 => Zone::Session,
            _ => Zone::Dynamic,
        }
    }

    fn look(&self, zone: Zone) {
        self.seen.fetch_max(zone as u8, Ordering::Relaxed);
    }

    fn fact(&self, name: &str) -> Option<Value> {
        let ctx = &self.ctx;
        Some(match name {
            "provider" => named(&ctx.provider),
            "model" => named(&ctx.model),
            "family" => Value::from(self.family.name()),
            "cwd" => line(ctx.cwd.as_ref()),
            "platform" => line(ctx.platform.as_ref()),
            "os_version" => line(ctx.os_version.as_ref()),
            "shell" => line(ctx.shell.as_ref()),
            "date" => line(ctx.date.as_ref()),
            "timezone" => line(ctx.timezone.as_ref()),
            "is_git" => ctx.is_git.map_or(Value::from(()), Value::from),
            "skills" => ctx.skills.as_ref().map_or(Value::from(()), skills),
            "skills_omitted" => Value::from(ctx.skills_omitted),
            "skill_tool" => line(ctx.skill_tool.as_ref()),
            "custom_rules" => ctx.custom_rules.as_ref().map_or(Value::from(()), Value::from),
            _ => Value::from(Serde(ctx.extra.get(name)?)),
        })
    }

    fn dynamic_fact(&self, name: &str) -> Option<Value> {
        let ctx = &self.ctx;
        Some(match name {
            "git" => ctx.git.as_ref().map_or(Value::from(()), |git| git_value(git)),
            "agent" => line(ctx.agent.as_ref()),
            "agent_switched" => line(ctx.agent_switched.as_ref()),
            "max_steps_reached" => Value::from(ctx.max_steps_reached),
            _ => return None,
        })
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
        if let Some(value) = self.dynamic_fact(name) {
            self.look(Zone::Dynamic);
            return Some(value);
        }
        self.fact(name).inspect(|_| self.look(Zone::Session))
    }
}

/// Names of tools: a built-in one that is not on offer is none, an unknown one is undefined.
#[derive(Debug)]
struct Tools(ToolNames);

impl Object for Tools {
    fn get_value(self: &Arc<Self>, key: &Value) -> Option<Value> {
        self.get_value_by_str(key.as_str()?)
    }

    fn get_value_by_str(self: &Arc<Self>, name: &str) -> Option<Value> {
        let offered = self.0.shared(name).map(Value::from);
        offered.or_else(|| BUILT_IN_TOOLS.contains(&name).then(|| Value::from(())))
    }

    fn is_true(self: &Arc<Self>) -> bool {
        !self.0.is_empty()
    }
}

/// The list of skills; an entry is made when a template asks for it.
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

/// One skill of the list.
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

fn skills(skills: &Arc<[SkillEntry]>) -> Value {
    Value::from_object(Skills(skills.clone()))
}

/// Returns a name on one line, or none where it is empty.
fn named(text: &Arc<str>) -> Value {
    line(Some(text).filter(|text| !text.is_empty()))
}

/// Returns a fact on one line, or none.
fn line(text: Option<&Arc<str>>) -> Value {
    let Some(text) = text else {
        return Value::from(());
    };
    match plain::visible(text) {
        std::borrow::Cow::Borrowed(_) => Value::from(text.clone()),
        std::borrow::Cow::Owned(escaped) => Value::from(escaped),
    }
}

fn git_value(git: &GitFacts) -> Value {
    let visible = |text: &String| plain::visible(text).into_owned();
    Value::from(Serde(GitFacts {
        branch: git.branch.as_ref().map(visible),
        head: git.head.as_ref().map(visible),
        status_lines: git.status_lines.iter().map(visible).collect(),
        status_omitted: git.status_omitted,
        recent_commits: git.recent_commits.iter().map(visible).collect(),
    }))
}
