//! What a session records, what comes back of it, and what a store is told of it.

mod attempt;
mod calls;
mod helpers;
mod record;
mod store;
