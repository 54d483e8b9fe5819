//! The cost of a run for the two processes: processor time, context switches and written bytes.

use std::time::Duration;

use crate::process::Process;

/// The use of processes so far: those of the server, if they run here, and this program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Usage {
    pub(crate) server: Option<Duration>,
    /// How often the server's threads gave up their core or lost it.
    pub(crate) switches: Option<u64>,
    pub(crate) own: Option<Duration>,
}

impl Usage {
    pub(crate) fn of(servers: &[Process]) -> Self {
        let is_here = !servers.is_empty();
        Self {
            server: servers.iter().map(|one| one.cpu()).sum::<Option<_>>().filter(|_| is_here),
            switches: servers.iter().copied().map(switches).sum::<Option<_>>().filter(|_| is_here),
            own: Process(std::process::id()).cpu(),
        }
    }

    /// The use since then.
    pub(crate) fn since(self, before: Self) -> Self {
        let cpu = |now: Option<Duration>, before| Some(now?.saturating_sub(before?));
        Self {
            server: cpu(self.server, before.server),
            switches: self
                .switches
                .zip(before.switches)
                .map(|(now, then)| now.saturating_sub(then)),
            own: cpu(self.own, before.own),
        }
    }
}

/// The bytes that a process wrote to files and pipes, and those that went to a disk for it or will.
pub(crate) fn written(process: Process) -> Option<(u64, u64)> {
    let io = std::fs::read_to_string(format!("/proc/{}/io", process.0)).ok()?;
    let count = |name| io.lines().find_map(|line| line.strip_prefix(name)?.trim().parse().ok());
    Some((count("wchar:")?, count("write_bytes:")?))
}

/// How often a process's threads gave up their core or lost it.
fn switches(process: Process) -> Option<u64> {
    let threads = std::fs::read_dir(format!("/proc/{}/task", process.0)).ok()?;
    let of_thread = |thread: std::io::Result<std::fs::DirEntry>| {
        let status = std::fs::read_to_string(thread.ok()?.path().join("status")).ok()?;
        let switches = status.lines().filter(|line| line.contains("ctxt_switches:"));
        let counts =
            switches.filter_map(|line| line.split_whitespace().last()?.parse::<u64>().ok());
        Some(counts.sum::<u64>())
    };
    Some(threads.filter_map(of_thread).sum::<u64>())
}
