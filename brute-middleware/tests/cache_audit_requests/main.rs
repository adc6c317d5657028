//! What an audit tells of two requests that differ in one thing.

mod helpers;
mod parts;
mod sent;
