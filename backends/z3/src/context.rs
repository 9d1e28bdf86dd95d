//! A Z3 context of one's own.
//!
//! The `z3` crate makes new terms and solvers in the context of the current thread, and lets a closure run with another
//! one. [`OwnContext`] holds such another context, so that one user's terms, learnt facts and memory are gone with it
//! and never help or hinder another's.

use z3::{Config, Context, with_z3_config, with_z3_context};

/// A context that nobody else uses; a clone is the same one.
#[derive(Clone, Debug)]
pub(crate) struct OwnContext(Context);

impl OwnContext {
    /// A new one; a few milliseconds.
    pub(crate) fn new() -> Self {
        Self(with_z3_config(&Config::new(), || SameThread(Context::thread_local())).into_inner())
    }

    /// Runs `work` with this context as the current thread's, so that what it makes belongs to this context.
    pub(crate) fn inside<R>(&self, work: impl FnOnce() -> R) -> R {
        let work = SameThread(work);
        with_z3_context(&self.0, move || SameThread((work.into_inner())())).into_inner()
    }
}

/// What stays on its thread although a bound asks for more.
///
/// `with_z3_context` calls its closure on the calling thread, before it returns; it asks for `Send` and `Sync` only to
/// keep terms of different contexts apart. Here they are kept apart by [`OwnContext`]: whoever holds one uses terms made
/// inside of it only. Terms carry their own context, so even a mixed-up one would be an error of Z3, not of memory.
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
        assert!(a.get_ctx() == &one.0 && b.get_ctx() == &other.0);
        assert!(a.get_ctx() != b.get_ctx() && &Context::thread_local() != a.get_ctx());
    }

    #[test]
    fn nests() {
        let (one, other) = (OwnContext::new(), OwnContext::new());
        one.inside(|| {
            other.inside(|| assert!(Context::thread_local() == other.0));
            assert!(Context::thread_local() == one.0);
        });
    }
}
