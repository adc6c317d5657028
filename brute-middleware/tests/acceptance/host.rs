//! A program of a user: a project and a home on the disk, and an agent of the recommended stack.

use std::{fs, future::ready, path::PathBuf};

use brute_core::{
    Agent, AgentBuilder, Error, Message, Session, Turn,
    models::{Script, ScriptedModel},
    tool_fn,
};
use brute_middleware::{SystemPromptLayer, default_stack};
use brute_prompts::{SystemPrompt, gather::GatherOptions};
use serde_json::Value;
use tempfile::TempDir;

/// A project in a repository with a home beside it, and a model that answers everything.
pub(crate) struct Host {
    folder: TempDir,
    pub(crate) model: ScriptedModel,
}

impl Host {
    pub(crate) fn new<const N: usize>(files: [(&str, &str); N]) -> Self {
        let model = ScriptedModel::answering(|_| Script::text("ok"));
        let host = Self { folder: TempDir::new().unwrap(), model };
        fs::create_dir_all(host.path("project/.git")).unwrap();
        for (path, text) in files {
            host.write(path, text);
        }
        host
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn gather(&self) -> GatherOptions {
        GatherOptions::default().home(self.path("home"))
    }

    /// Returns the layer of a prompt that gathers on this disk.
    pub(crate) fn layer(&self, prompt: SystemPrompt) -> SystemPromptLayer {
        SystemPromptLayer::new(prompt).gather(self.gather())
    }

    pub(crate) fn agent(&self, layer: SystemPromptLayer) -> Agent {
        self.builder(layer).build().unwrap()
    }

    pub(crate) fn builder(&self, layer: SystemPromptLayer) -> AgentBuilder {
        let look = tool_fn("look", "Looks.", |_: Value, _| ready(Ok::<_, Error>("seen")));
        let stack = default_stack().system_prompt(layer).model(self.model.clone());
        Agent::builder(stack).cwd(self.path("project")).model("anthropic", "claude-x").tool(look)
    }

    /// Returns the system message of the next turn of a session.
    pub(crate) async fn system(
        &self,
        layer: SystemPromptLayer,
        session: &Session,
    ) -> Result<Message, Error> {
        self.agent(layer).send(session, "hi").await?;
        Ok(self.last_system())
    }

    /// Returns the last request that the model has seen.
    pub(crate) fn last_request(&self) -> Turn {
        self.model.requests().last().unwrap().clone()
    }

    /// Returns the system message of the last request.
    pub(crate) fn last_system(&self) -> Message {
        (**self.last_request().log.get(0).unwrap()).clone()
    }
}

/// Returns the names of a message's sections.
pub(crate) fn names(message: &Message) -> Vec<String> {
    message.sections().map(|section| section.name.to_string()).collect()
}

/// Returns the text of one section, or nothing where there is none.
pub(crate) fn section(message: &Message, name: &str) -> String {
    let section = message.sections().find(|section| &*section.name == name);
    section.map(|section| section.text.to_string()).unwrap_or_default()
}
