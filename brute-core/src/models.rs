//! Models that need no network, and what every model builds its reply with.

mod reply_builder;
mod scripted;

pub use self::{
    reply_builder::ReplyBuilder,
    scripted::{Script, ScriptedModel},
};
