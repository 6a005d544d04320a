//! Ending a check from another thread.

use std::fmt;
use std::sync::Arc;

use crate::library::*;

/// Ends checks from another thread. Clones are one.
///
/// ```
/// use linchpin::{check, History, Options, Stop};
///
/// let mut builder = History::builder("register");
/// builder.call("a", "write", &[1.into()], 0);
/// let history = builder.finish()?;
/// let stop = Stop::new();
/// let options = Options { stop: Some(stop.clone()), ..Options::default() };
/// let impatient = std::thread::spawn(move || stop.request());
/// impatient.join().unwrap();
/// let verdict = check(&history, None, &options)?;
/// assert_eq!(verdict.reason(), "cancelled");
/// # Ok::<(), linchpin::Error>(())
/// ```
#[derive(Clone)]
pub struct Stop {
    held: Arc<Held>,
}

struct Held(*mut CStop);

// SAFETY: any thread may request a stop, also while others do so and while checks look at it.
unsafe impl Send for Held {}
unsafe impl Sync for Held {}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: it is ours, and freed once; each check has a clone as long as it takes.
        unsafe { linchpin_stop_free(self.0) }
    }
}

impl Stop {
    pub fn new() -> Stop {
        // SAFETY: a function without a condition.
        let handle = unsafe { linchpin_stop_new() };
        assert!(!handle.is_null(), "out of memory");
        Stop {
            held: Arc::new(Held(handle)),
        }
    }

    /// Checks with this in their options end soon: the verdict is unknown, and the reason `cancelled`. Those that begin
    /// later, too. May be called several times.
    pub fn request(&self) {
        // SAFETY: it lives as long as this.
        unsafe { linchpin_stop_request(self.held.0) }
    }

    pub(crate) fn handle(&self) -> *const CStop {
        self.held.0
    }
}

impl Default for Stop {
    fn default() -> Stop {
        Stop::new()
    }
}

impl fmt::Debug for Stop {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Stop").finish_non_exhaustive()
    }
}
