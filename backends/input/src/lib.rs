//! Reading of questions: the one way for all strategies, with one wording of what cannot be read.
//!
//! Reading is the phase `parse`. A strategy that takes one kind of question calls [`expressions_of`],
//! [`script_of`], [`systems_of`] or [`grammars_of`], which refuse every other kind by its name, kinds
//! that are added later too; one that takes several kinds matches on [`harness_model::QuestionKind`] and
//! calls [`Expressions::read`], [`read_script`], [`read_systems`] or [`read_grammars`]. For strategies of
//! scripts a system whose solution is words is the script that asks the same: [`script_of`] makes it.
//!
//! - [`expressions`]: regular expressions and the operations on them
//! - [`script`]: SMT-LIB scripts
//! - [`system`]: systems of regular constraints
//! - [`grammars`]: context-free grammars, as they are and as languages of bounded length

pub mod expressions;
pub mod grammars;
pub mod script;
pub mod system;

pub use expressions::{Expressions, expressions_of};
pub use grammars::{Grammars, grammars_of, read_grammars};
pub use script::{read_script, script_of};
pub use system::{read_systems, script_source, systems_of};

use backends_api::BackendError;
use harness_model::{Question, QuestionKind};

/// The refusal of a question by the name of what it asks for.
pub fn unsupported(question: &Question) -> BackendError {
    BackendError::Unsupported(match &question.kind {
        QuestionKind::Operations(asked) => match asked.operations.first() {
            Some(operation) => format!("{} of regular expressions", operation.kind),
            None => question.kind.name().to_owned(),
        },
        QuestionKind::Script(_) | QuestionKind::System(_) | QuestionKind::Grammars(_) => {
            question.kind.name().to_owned()
        }
    })
}
