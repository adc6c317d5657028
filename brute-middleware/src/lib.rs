//! The layers of Brute, one file each, and the order that they are recommended in.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used))]

mod accept_input;
mod blank_answer;
mod cache_audit;
mod cassette;
mod default_stack;
mod events;
mod fallback;
mod journal;
mod kept;
mod max_steps;
mod misplaced;
mod mode_messages;
mod plan_mode;
mod preamble;
mod prepared;
mod prompt_context;
mod prompt_log;
mod recent_notes;
mod refusal;
mod reminders;
mod retry;
mod secrets;
mod session_facts;
mod session_status;
mod single_call;
mod skills;
mod slash_commands;
mod system_prompt;
mod tool_calls;
mod tool_loop;
pub mod tools;

pub use self::{
    accept_input::{AcceptInput, AcceptInputLayer},
    blank_answer::BlankAnswer,
    cache_audit::{CacheAudit, CacheAuditLayer},
    cassette::{Cassette, CassetteLayer},
    default_stack::{DefaultStack, default_stack},
    events::{EventsLayer, WithEvents},
    fallback::{Fallback, FallbackLayer},
    journal::{JournalLayer, Journaled},
    max_steps::{MaxSteps, MaxStepsLayer},
    mode_messages::{ModeMessages, ModeMessagesLayer, set_headless, set_worktree},
    plan_mode::{PlanGuard, PlanGuardLayer, PlanMode, PlanModeLayer, set_mode},
    preamble::{PreambleLayer, Threads, WithPreamble},
    prepared::Prepared,
    prompt_context::prompt_context,
    prompt_log::{PromptLog, PromptLogLayer, prompt_document, reply_document},
    recent_notes::{RecentNotesLayer, WithRecentNotes},
    refusal::{Refusal, RefusalLayer},
    reminders::{Reminders, RemindersLayer},
    retry::{Backoff, Retry, RetryLayer},
    secrets::Secrets,
    session_facts::{keeps_prompt_facts, reload_prompt_facts},
    session_status::{SessionStatusLayer, WithSessionStatus, set_model_override},
    single_call::{SingleCall, single_call},
    skills::{SkillsLayer, WithSkills},
    slash_commands::{SlashCommands, SlashCommandsLayer},
    system_prompt::{
        ForeignSystem, KeptPrompt, RenderPolicy, SystemPromptLayer, WithSystemPrompt, kept_prompts,
    },
    tool_calls::{ToolCalls, ToolCallsLayer},
    tool_loop::{ToolLoop, ToolLoopLayer},
};

/// Makes the blocks of the README doctests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
mod readme {}

/// Makes the blocks of the guide to prompts doctests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/prompts.md")]
mod guide_to_prompts {}
