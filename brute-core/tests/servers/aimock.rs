//! Cells of aimock, which answers from the fixtures in `scripts/model_servers/fixtures`.

use std::time::Duration;

use super::{
    behaviour as check,
    kit::{
        Cell,
        Server::Aimock,
        Wire::{self, Anthropic, Azure, Chat, Google, Ollama, OpenRouter, Responses},
    },
};

const WIRES: [Wire; 5] = [Anthropic, Chat, Responses, Google, Ollama];

pub(crate) fn cells() -> Vec<Cell> {
    let families = [OpenRouter, Azure].into_iter().flat_map(of_family);
    WIRES.into_iter().flat_map(of).chain(families).collect()
}

fn of(wire: Wire) -> Vec<Cell> {
    let mut cells = everywhere(wire);
    // Over the wire of Ollama it counts nothing, and streams thoughts in a member of another name.
    if wire != Ollama {
        cells.push(Cell::new(Aimock, wire, "usage", |server, wire| {
            check::counts(server, wire, "count tokens")
        }));
        cells.push(Cell::new(Aimock, wire, "thinking", |server, wire| {
            check::thinking(server, wire, "think hard", "Let me think step by step.", "42")
        }));
    }
    cells
}

/// What differs between providers that speak the same wire: paths, headers, small rules.
fn of_family(wire: Wire) -> Vec<Cell> {
    vec![
        Cell::new(Aimock, wire, "plain", |server, wire| {
            check::plain(server, wire, "plain hello", Some("Hello from aimock."))
        }),
        Cell::new(Aimock, wire, "tool loop", |server, wire| {
            check::tool_loop(server, wire, "weather", Some("Paris 21C, Rome 27C."))
        }),
        Cell::new(Aimock, wire, "500", |server, wire| check::server_error(server, wire, "err500")),
    ]
}

fn everywhere(wire: Wire) -> Vec<Cell> {
    let hello = Some("Hello from aimock.");
    let weather = Some("Paris 21C, Rome 27C.");
    vec![
        Cell::new(Aimock, wire, "plain", move |server, wire| {
            check::plain(server, wire, "plain hello", hello)
        }),
        Cell::new(Aimock, wire, "streamed", |server, wire| {
            check::streamed(server, wire, "trickle", 10)
        }),
        Cell::new(Aimock, wire, "parallel tools", |server, wire| {
            check::parallel_tools(server, wire, "weather")
        }),
        Cell::new(Aimock, wire, "tool loop", move |server, wire| {
            check::tool_loop(server, wire, "weather", weather)
        }),
        Cell::new(Aimock, wire, "429 with retry-after", |server, wire| {
            check::rate_limited(server, wire, "err429", Duration::from_secs(7))
        }),
        Cell::new(Aimock, wire, "500", |server, wire| check::server_error(server, wire, "err500")),
        Cell::new(Aimock, wire, "hang", |server, wire| check::hangs(server, wire, "never comes")),
        Cell::new(Aimock, wire, "truncated", |server, wire| {
            check::disconnected(server, wire, "cut slowly")
        }),
        Cell::new(Aimock, wire, "malformed", |server, wire| {
            check::malformed(server, wire, "bad json")
        }),
        Cell::new(Aimock, wire, "disconnect", |server, wire| {
            check::disconnected(server, wire, "hang up")
        }),
        Cell::new(Aimock, wire, "cancel", |server, wire| {
            check::cancelled(server, wire, "trickle", "plain hello")
        }),
    ]
}
