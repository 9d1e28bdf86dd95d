//! Numbers and strings in iteration, with a library of rules that pass constraints between the two.
//!
//! The numeric domain proposes values, the string domain looks for strings that go with them and says what it
//! learned when there are none. Before that, each domain tells the other what it can say without values.
//! Relaxed solving is that first part alone.
//!
//! Source: Ghosh, Shafiei, Li, Chiang, *JST: An Automatic Test Generation Tool for Industrial Java
//! Applications with Strings* (JST), section IV.
//!
//! - [`options`]: what can be chosen
//! - [`facts`]: what a rule sees; [`bounds`]: where integers are; [`rules`]: the library; `decimal`:
//!   languages of numbers
//! - [`relational`]: order between strings; [`split`]: narrowed case splitting
//! - [`domain`]: the string domain as the loop sees it
//! - [`relaxed`], [`full`]: the two ways of solving; [`strategy`]: scripts and path trees; [`family`]:
//!   options and names
//!
//! Must never: claim `unsat` of a narrowed case or of a limit, answer a model that was not checked, know Z3.
//! Both domains are the caller's; automata are one string domain.

pub mod bounds;
mod decimal;
pub mod domain;
pub mod facts;
pub mod family;
pub mod full;
pub mod options;
pub mod relational;
pub mod relaxed;
pub mod rules;
pub mod split;
pub mod strategy;
#[cfg(test)]
mod tests;

pub use domain::StringDomain;
pub use family::HybridFamily;
pub use options::{Mode, Options, Split};
pub use strategy::Hybrid;
