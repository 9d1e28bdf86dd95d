//! Ctrl-C and SIGTERM: the first one stops the run in good order, the second one at once.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context as _;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

/// A flag that the first signal raises. A second signal while it is up ends the process with the status that
/// a shell gives to a process killed by it; the workers end when their input does.
pub fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // The order matters: the check comes first, so that it sees only what earlier signals have raised.
        flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&stop))
            .and_then(|_| flag::register(signal, Arc::clone(&stop)))
            .context("cannot watch for Ctrl-C")?;
    }
    Ok(stop)
}
