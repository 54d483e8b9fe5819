//! The memory, the processor time and the core of a process, from the kernel. On Linux alone; elsewhere
//! nothing is measured or pinned.

use std::time::Duration;

/// A process that is measured.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Process(pub(crate) u32);

impl Process {
    /// Its memory in KiB: Pss of `smaps_rollup`, which divides a shared page among its processes.
    pub(crate) fn memory_kib(self) -> Option<u64> {
        let rollup = std::fs::read_to_string(format!("/proc/{}/smaps_rollup", self.0)).ok()?;
        let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        line.split_whitespace().next()?.parse().ok()
    }

    /// Its processor time in user mode and in the kernel, to 10 ms.
    pub(crate) fn cpu(self) -> Option<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.0)).ok()?;
        // The program's name may hold anything but ends with the last parenthesis; utime and stime
        // are fields 14 and 15 of proc(5), the first after the name is the third.
        let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let ticks: u64 =
            fields.get(11..13)?.iter().filter_map(|field| field.parse::<u64>().ok()).sum();
        Some(Duration::from_secs_f64(ticks as f64 / ticks_per_second()? as f64))
    }
}

#[cfg(target_os = "linux")]
fn ticks_per_second() -> Option<u64> {
    Some(rustix::param::clock_ticks_per_second())
}

#[cfg(not(target_os = "linux"))]
fn ticks_per_second() -> Option<u64> {
    None
}

/// Two cores of this machine, the server's and the load's; `None` where there are not two.
#[cfg(target_os = "linux")]
pub(crate) fn two_cores() -> Option<(usize, usize)> {
    let allowed = rustix::thread::sched_getaffinity(None).ok()?;
    let mut cores = (0..rustix::thread::CpuSet::MAX_CPU).filter(|core| allowed.is_set(*core));
    Some((cores.next()?, cores.next()?))
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn two_cores() -> Option<(usize, usize)> {
    None
}

/// Pins this thread, and the threads and processes that it starts, to one core.
#[cfg(target_os = "linux")]
pub(crate) fn pin(core: usize) {
    let mut set = rustix::thread::CpuSet::new();
    set.set(core);
    // If that is forbidden, the measurement runs without it.
    rustix::thread::sched_setaffinity(None, &set).ok();
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn pin(_core: usize) {}
