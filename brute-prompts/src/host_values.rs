//! What the host knows, as texts see it.

use minijinja::{
    context,
    value::{Serde, Value},
};

use crate::{HostFacts, SandboxFacts, plain};

/// Returns the facts; everything but the context of the run stands on one line.
pub(crate) fn host(facts: &HostFacts) -> Value {
    context! {
        workspace_notes => lines(&facts.workspace_notes),
        documentation_path => line(facts.documentation_path.as_ref()),
        documentation_mirrors => lines(&facts.documentation_mirrors),
        sandbox => facts.sandbox.as_ref().map(sandbox),
        protected_settings => lines(&facts.protected_settings),
        approvals => facts.approvals,
        approval_command => line(facts.approval_command.as_ref()),
        owners => lines(&facts.owners),
        model_aliases => aliases(facts),
        ..context! {
            reply_tag => line(facts.reply_tag.as_ref()),
            heartbeat_token => line(facts.heartbeat_token.as_ref()),
            heartbeat_prompt => line(facts.heartbeat_prompt.as_ref()),
            silent_token => line(facts.silent_token.as_ref()),
            channels => lines(&facts.channels),
            reactions => facts.reactions.map(|level| Value::from(Serde(level))),
            runtime => runtime(facts),
            reasoning => line(facts.reasoning.as_ref()),
            reasoning_command => line(facts.reasoning_command.as_ref()),
            extra_context => facts.extra_context.as_deref().map(str::trim),
        }
    }
}

fn line(text: Option<&String>) -> Option<String> {
    text.map(|text| plain::visible(text.trim()).into_owned()).filter(|text| !text.is_empty())
}

fn lines(texts: &[String]) -> Vec<String> {
    texts.iter().filter_map(|text| line(Some(text))).collect()
}

fn sandbox(facts: &SandboxFacts) -> Value {
    context! {
        workspace => line(facts.workspace.as_ref()),
        access => line(facts.access.as_ref()),
        elevated => line(facts.elevated.as_ref()),
    }
}

fn aliases(facts: &HostFacts) -> Vec<Value> {
    let alias = |(name, model): (&String, &String)| {
        context! { name => line(Some(name)), model => line(Some(model)) }
    };
    facts.model_aliases.iter().map(alias).collect()
}

fn runtime(facts: &HostFacts) -> Vec<Value> {
    let pairs = facts.runtime.pairs().into_iter();
    pairs.map(|(key, value)| context! { key, value => plain::visible(&value).as_ref() }).collect()
}
