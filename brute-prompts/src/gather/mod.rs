//! The only place that touches disk, clock or git; what it returns is plain data.

mod overlay;

pub(crate) use overlay::overlay;
