//! Models that need no network, and what every model builds its reply with.

mod offline;
mod reply_builder;
mod scripted;

pub use self::{
    offline::OfflineModel,
    reply_builder::ReplyBuilder,
    scripted::{Script, ScriptedModel},
};
