//! The facts under the names that texts use, and how long each of them holds.

use std::{
    borrow::Cow,
    sync::{Arc, LazyLock},
};

use minijinja::value::{Serde, Value};
use serde_json::Value as Json;

use crate::{
    Family, GitFacts, HostFacts, PromptContext, Zone,
    file_values::{instruction_files, workspace_files},
    host_values::host,
    plain,
    skill_values::skills,
};

/// One fact: its name in texts, and what can be done with it.
pub(crate) struct Field {
    pub(crate) name: &'static str,
    pub(crate) zone: Zone,
    /// Returns it as texts see it.
    pub(crate) value: fn(&PromptContext) -> Value,
    /// Returns true where two contexts agree on it.
    pub(crate) same: fn(&PromptContext, &PromptContext) -> bool,
    /// Copies it from the second context to the first.
    pub(crate) copy: fn(&mut PromptContext, &PromptContext),
    /// Reads it from JSON.
    pub(crate) read: fn(&mut PromptContext, Json) -> Result<(), serde_json::Error>,
}

/// What is known of a host that says nothing.
static NO_HOST: LazyLock<HostFacts> = LazyLock::new(HostFacts::default);

macro_rules! field {
    ($name:ident, $zone:ident, $value:expr) => {
        Field {
            name: stringify!($name),
            zone: Zone::$zone,
            value: $value,
            same: |one, other| one.$name == other.$name,
            copy: |to, from| to.$name = from.$name.clone(),
            read: |to, value| {
                to.$name = serde_json::from_value(value)?;
                Ok(())
            },
        }
    };
}

/// All facts but the tools and what the host adds.
pub(crate) static FIELDS: [Field; 25] = [
    field!(provider, Session, |ctx| line(named(&ctx.provider))),
    field!(model, Session, |ctx| line(named(&ctx.model))),
    field!(family, Session, |ctx| or_none(ctx.family.as_ref().map(Family::name))),
    field!(prompt_mode, Session, |ctx| Value::from(ctx.prompt_mode.name())),
    field!(cwd, Session, |ctx| line(ctx.cwd.as_ref())),
    field!(platform, Session, |ctx| line(ctx.platform.as_ref())),
    field!(os_version, Session, |ctx| line(ctx.os_version.as_ref())),
    field!(arch, Session, |ctx| line(ctx.arch.as_ref())),
    field!(shell, Session, |ctx| line(ctx.shell.as_ref())),
    field!(date, Session, |ctx| line(ctx.date.as_ref())),
    field!(timezone, Session, |ctx| line(ctx.timezone.as_ref())),
    field!(utc_offset, Session, |ctx| line(ctx.utc_offset.as_ref())),
    field!(knowledge_cutoff, Session, |ctx| line(ctx.knowledge_cutoff.as_ref())),
    field!(is_git, Session, |ctx| or_none(ctx.is_git)),
    field!(skills, Session, |ctx| or_none(ctx.skills.as_ref().map(skills))),
    field!(skills_omitted, Session, |ctx| Value::from(ctx.skills_omitted)),
    field!(skill_tool, Session, |ctx| line(ctx.skill_tool.as_ref())),
    field!(instructions, Session, |ctx| {
        or_none(ctx.instructions.as_deref().map(instruction_files))
    }),
    field!(workspace_files, Session, |ctx| {
        or_none(ctx.workspace_files.as_deref().map(workspace_files))
    }),
    field!(custom_rules, Session, |ctx| or_none(ctx.custom_rules.as_ref())),
    field!(host, Session, |ctx| host(ctx.host.as_deref().unwrap_or(&NO_HOST))),
    field!(git, Dynamic, |ctx| or_none(ctx.git.as_deref().map(git))),
    field!(agent, Dynamic, |ctx| line(ctx.agent.as_ref())),
    field!(agent_switched, Dynamic, |ctx| line(ctx.agent_switched.as_ref())),
    field!(max_steps_reached, Dynamic, |ctx| Value::from(ctx.max_steps_reached)),
];

/// Returns the names that every text may use, sorted; what the host adds comes on top.
pub(crate) fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = FIELDS.iter().map(|field| field.name).chain(["tools"]).collect();
    names.sort_unstable();
    names
}

fn or_none<V: Into<Value>>(fact: Option<V>) -> Value {
    fact.map_or_else(|| Value::from(()), Into::into)
}

/// Returns the name, unless it is empty.
fn named(name: &Arc<str>) -> Option<&Arc<str>> {
    Some(name).filter(|name| !name.is_empty())
}

/// Returns the fact on one line, or none.
fn line(text: Option<&Arc<str>>) -> Value {
    or_none(text.map(|text| match plain::visible(text) {
        Cow::Borrowed(_) => Value::from(text.clone()),
        Cow::Owned(escaped) => Value::from(escaped),
    }))
}

fn git(facts: &GitFacts) -> Value {
    let visible = |text: &String| plain::visible(text).into_owned();
    Value::from(Serde(GitFacts {
        branch: facts.branch.as_ref().map(visible),
        head: facts.head.as_ref().map(visible),
        status_lines: facts.status_lines.iter().map(visible).collect(),
        status_omitted: facts.status_omitted,
        recent_commits: facts.recent_commits.iter().map(visible).collect(),
    }))
}
