//! Models: scripted and offline ones that need no network, real ones behind the feature `rig`, and
//! what every model builds its reply with.

mod conversation;
#[cfg(feature = "rig")]
mod guard;
mod offline;
#[cfg(feature = "rig")]
mod provider;
mod registry;
mod reply_builder;
#[cfg(feature = "rig")]
mod rig;
mod scripted;

pub use self::{
    conversation::conversation,
    offline::OfflineModel,
    registry::{ModelInfo, Prices, Registry},
    reply_builder::ReplyBuilder,
    scripted::{Script, ScriptedModel},
};
#[cfg(feature = "rig")]
pub use self::{
    guard::forbid_real_calls,
    provider::{
        CacheTime, Provider, anthropic, azure, deepseek, from_env, from_variables, google, groq,
        mistral, ollama, openai, openai_chat, openai_compatible, openrouter, provider, xai,
    },
    rig::RemoteModel,
};
