//! What the file of a cassette holds, and in which order it is replayed.

mod file;
mod helpers;
mod order;
