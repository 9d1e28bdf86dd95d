//! A Z3 context of one's own.
//!
//! The `z3` crate makes new terms and solvers in the context of the current thread, and lets a closure run
//! with another one. [`OwnContext`] holds such another context, so that one user's terms, learnt facts and
//! memory are gone with it and never help or hinder another's.
//!
//! A context is what a small question costs most: some milliseconds and ten thousands of pages of memory. So
//! none is made that is not used: the crate makes each thread's own on first touch, whatever is asked for,
//! and that one is the first that is given out here. And the two solvers of one strategy share one
//! ([`OwnContext::shared`]).
//!
//! The first context of a process starts Z3 itself, which takes longer than any later one. That is no work on
//! a question, so [`start`] does it for every strategy that uses Z3, as a phase of its own.
//!
//! Invariant: nothing in this crate uses Z3 outside of [`OwnContext::inside`].

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use backends_api::Probe;
use z3::{Config, Context, with_z3_config, with_z3_context};

thread_local! {
    /// Whether Z3 runs.
    static STARTED: Cell<bool> = const { Cell::new(false) };
    /// Whether the context that the crate made for this thread was given out.
    static TAKEN: Cell<bool> = const { Cell::new(false) };
    /// The one that is shared, as long as somebody has it.
    static SHARED: RefCell<Weak<Context>> = const { RefCell::new(Weak::new()) };
}

/// Starts Z3 on this thread unless it runs: makes the context that the crate gives each thread. Phase:
/// `start_z3`, once.
pub(crate) fn start(probe: &Probe) {
    if !STARTED.replace(true) {
        probe.phase("start_z3", || drop(Context::thread_local()));
    }
}

/// A context that nobody else uses; a clone is the same one.
#[derive(Clone, Debug)]
pub(crate) struct OwnContext(Rc<Context>);

impl OwnContext {
    /// A new one; a few milliseconds.
    pub(crate) fn new() -> Self {
        let context = if TAKEN.replace(true) {
            with_z3_config(&Config::new(), || SameThread(Context::thread_local())).into_inner()
        } else {
            Context::thread_local()
        };
        Self(Rc::new(context))
    }

    /// The one that others on this thread share at present, or a new one: for solvers that live and die
    /// together, and whose terms cannot be taken for each other's.
    pub(crate) fn shared() -> Self {
        SHARED.with_borrow_mut(|shared| {
            if let Some(context) = shared.upgrade() {
                return Self(context);
            }
            let new = Self::new();
            *shared = Rc::downgrade(&new.0);
            new
        })
    }

    /// Runs `work` with this context as the current thread's, so that what it makes belongs to this context.
    pub(crate) fn inside<R>(&self, work: impl FnOnce() -> R) -> R {
        let work = SameThread(work);
        with_z3_context(&self.0, move || SameThread((work.into_inner())())).into_inner()
    }
}

/// What stays on its thread although a bound asks for more.
///
/// `with_z3_context` calls its closure on the calling thread, before it returns; it asks for `Send` and
/// `Sync` only to keep terms of different contexts apart. Here they are kept apart by [`OwnContext`]: whoever
/// holds one uses terms made inside of it only. Terms carry their own context, so even a mixed-up one would
/// be an error of Z3, not of memory.
struct SameThread<T>(T);

impl<T> SameThread<T> {
    fn into_inner(self) -> T {
        self.0
    }
}

#[expect(unsafe_code, reason = "the value never leaves its thread, see above")]
// SAFETY: made, used and unwrapped within one call on one thread.
unsafe impl<T> Send for SameThread<T> {}

#[expect(unsafe_code, reason = "the value never leaves its thread, see above")]
// SAFETY: made, used and unwrapped within one call on one thread.
unsafe impl<T> Sync for SameThread<T> {}

#[cfg(test)]
mod tests {
    use z3::ast::{Ast, Bool};

    use super::*;

    #[test]
    fn contexts_are_apart() {
        let (one, other) = (OwnContext::new(), OwnContext::new());
        let term = |context: &OwnContext| context.inside(|| Bool::new_const("p"));
        let (a, b) = (term(&one), term(&other));
        assert!(a.get_ctx() == &*one.0 && b.get_ctx() == &*other.0);
        assert!(a.get_ctx() != b.get_ctx());
        let third = OwnContext::new();
        assert!(*third.0 != *one.0 && *third.0 != *other.0);
    }

    /// On a thread of its own, for what other tests did does not matter then.
    #[test]
    fn the_first_context_is_the_threads_own_and_no_second_one_is() {
        std::thread::spawn(|| {
            let first = OwnContext::new();
            assert!(*first.0 == Context::thread_local());
            drop(first);
            assert!(*OwnContext::new().0 != Context::thread_local());
        })
        .join()
        .unwrap();
    }

    #[test]
    fn a_shared_context_is_gone_with_its_last_user() {
        let (one, two) = (OwnContext::shared(), OwnContext::shared());
        assert!(Rc::ptr_eq(&one.0, &two.0));
        assert!(*OwnContext::new().0 != *one.0);
        drop((one, two));
        SHARED.with_borrow(|shared| assert!(shared.upgrade().is_none()));
    }

    #[test]
    fn nests() {
        let (one, other) = (OwnContext::new(), OwnContext::new());
        one.inside(|| {
            other.inside(|| assert!(Context::thread_local() == *other.0));
            assert!(Context::thread_local() == *one.0);
        });
    }
}
