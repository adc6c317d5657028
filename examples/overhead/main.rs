//! Measures what the framework itself costs, one scenario in one process.
//!
//! `cargo run --release --example overhead -- SCENARIO --reps N --warmup N` prints one JSON line.

mod largest;
mod measure;
mod memory;
mod scenario;
mod stacks;

use clap::Parser;
use serde_json::json;

use crate::{measure::Measured, scenario::Scenario};

/// Measures one scenario.
#[derive(Parser)]
struct Arguments {
    /// Which scenario; `list` names them.
    scenario: String,
    /// How many calls are timed.
    #[arg(long, default_value_t = 200)]
    reps: usize,
    /// How many calls go before them.
    #[arg(long, default_value_t = 50)]
    warmup: usize,
}

#[allow(clippy::print_stdout, reason = "its line on standard output is what this program is for")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Arguments { scenario: name, reps, warmup } = Arguments::parse();
    if name == "list" {
        println!("{}", scenario::NAMES.join("\n"));
        return Ok(());
    }
    let base = memory::resident_kib();
    let scenario = Scenario::named(&name)?;
    let Measured { median_us, p10_us, p90_us, cpu_us, allocs, bytes } =
        scenario.measure((reps.max(1), warmup))?;
    let line = json!({
        "peer": "brute", "scenario": name, "n": reps.max(1),
        "median_us": median_us, "p10_us": p10_us, "p90_us": p90_us, "cpu_us": cpu_us,
        "base_rss_kib": base, "peak_rss_kib": memory::peak_kib(),
        "allocs": allocs, "bytes": bytes, "note": scenario.note(),
    });
    println!("{line}");
    Ok(())
}
