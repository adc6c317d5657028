//! The lint finds layers that break the contract, and names law and layer.

mod calls;
mod helpers;
mod laws;
