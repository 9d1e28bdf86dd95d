//! Ctrl-C and SIGTERM: the first one stops the run in good order, the second one at once.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context as _;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
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

/// A file that reaches the limit of its size (`ulimit -f`) is an error to whoever writes it, with a message,
/// as a full disk is, and no sudden death. Programs that are started have the signal as it was.
pub fn hear_of_full_files() {
    // Without it the limit ends the process: no reason to refuse to work.
    let _ = flag::register(SIGXFSZ, Arc::default());
}
