//! What constraints say: operations, terms, problems.
//!
//! Depends on the vocabulary alone. Nothing here evaluates, decides or reads text, so that the trusted
//! checker and the strategies can share it without sharing an idea of what an operation does.
//!
//! - [`sort`]: sorts; [`op`]: the functions, one row each; [`forms`]: the ways to apply one
//! - [`lower`]: problems without Java's operations, or with fewer; [`rounding`]: decimals as integers
//! - [`term`]: hash-consed terms; [`value`]: values and assignments
//! - [`problem`]: problems, queries and scripts

pub mod forms;
pub mod lower;
pub mod op;
pub mod problem;
pub mod rounding;
pub mod sort;
pub mod term;
pub mod value;

pub use forms::Form;
pub use op::{ArithOp, CoreOp, JavaOp, Op, ReOp, Shape, StrOp};
pub use problem::{
    Application, ModelTerms, Origins, Position, Problem, Query, Script, ScriptDialect, ValueSort,
};
pub use sort::Sort;
pub use term::{SortError, Term, TermId, Terms, VarId, Variable};
pub use value::{Assignment, Value};
