//! Times calls, and counts what they allocate in a pass of its own.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

/// How many calls are prepared together, so that preparing and dropping are not timed.
const CHUNK: usize = 25;

/// What one call costs, in microseconds, allocations and bytes.
pub(crate) struct Measured {
    pub(crate) median_us: f64,
    pub(crate) p10_us: f64,
    pub(crate) p90_us: f64,
    pub(crate) cpu_us: f64,
    pub(crate) allocs: f64,
    pub(crate) bytes: f64,
}

/// Measures a call that works on something prepared, and checks afterwards that it did.
///
/// Allocations are counted on the current thread, so `counted` must do the same work there.
pub(crate) fn measure<T>(
    (reps, warmup): (usize, usize),
    mut prepare: impl FnMut() -> T,
    mut timed: impl FnMut(&mut T),
    mut counted: impl FnMut(&mut T),
    check: impl Fn(&T),
) -> Measured {
    repeat(warmup, &mut prepare, &mut timed, &check);
    let (mut walls, cpu) = repeat(reps, &mut prepare, &mut timed, &check);
    let (allocs, bytes) = count(reps.min(CHUNK), &mut prepare, &mut counted);
    walls.sort_unstable();
    let at = |percent: usize| micros(walls[walls.len() * percent / 100]);
    let cpu_us = micros(cpu) / to_f64(reps);
    Measured { median_us: at(50), p10_us: at(10), p90_us: at(90), cpu_us, allocs, bytes }
}

fn repeat<T>(
    reps: usize,
    prepare: &mut impl FnMut() -> T,
    call: &mut impl FnMut(&mut T),
    check: &impl Fn(&T),
) -> (Vec<Duration>, Duration) {
    let (mut walls, mut cpu) = (Vec::with_capacity(reps), Duration::ZERO);
    while walls.len() < reps {
        let mut chunk: Vec<T> = (0..CHUNK.min(reps - walls.len())).map(|_| prepare()).collect();
        let began = ProcessTime::now();
        for prepared in &mut chunk {
            let began = Instant::now();
            call(prepared);
            walls.push(began.elapsed());
        }
        cpu += began.elapsed();
        chunk.iter().for_each(check);
    }
    (walls, cpu)
}

fn count<T>(
    reps: usize,
    prepare: &mut impl FnMut() -> T,
    call: &mut impl FnMut(&mut T),
) -> (f64, f64) {
    let mut chunk: Vec<T> = (0..reps).map(|_| prepare()).collect();
    let counted = allocation_counter::measure(|| chunk.iter_mut().for_each(call));
    let each = |total: u64| f64::from(u32::try_from(total).unwrap_or(u32::MAX)) / to_f64(reps);
    (each(counted.count_total), each(counted.bytes_total))
}

fn micros(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e6
}

fn to_f64(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
