//! The shape of a turn.
