//! Seeded, parameterised families of tasks.
//!
//! The same name, parameters and seed give the same tasks, byte for byte, on every platform. A family states
//! the right answer only where it is so by construction, and then says by which argument.
//!
//! - [`names`], [`generate`]: the families, by name; [`families`] has them, one file each
//! - [`params`]: parameters and what is wrong with them
//!
//! Depends on the model, and on the reader of grammars.

mod error;
pub mod families;
pub mod params;
mod random;

use std::collections::BTreeMap;

use harness_model::{Alphabet, Task};

pub use error::GeneratorError;
pub use params::ParamValue;
use params::Params;

/// A family in one line, with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GeneratorInfo {
    /// What [`generate`] takes.
    pub name: &'static str,
    /// For `harness list generators`.
    pub summary: &'static str,
    /// Whether its tasks are scripts (string constraints), and not operations on regular expressions or
    /// systems.
    pub scripts: bool,
    /// What can be set.
    pub params: &'static [ParamInfo],
}

/// A parameter in one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, and what it is when it is not given.
    pub summary: &'static str,
}

/// A family of tasks.
trait Family: Sync {
    /// Name and parameters.
    fn info(&self) -> GeneratorInfo;

    /// The tasks, in every alphabet; names of parameters are checked already, their values are not.
    fn tasks(
        &self,
        params: &Params<'_>,
        seed: u64,
        alphabets: &[Alphabet],
    ) -> Result<Vec<Task>, GeneratorError>;
}

const FAMILIES: &[&dyn Family] = &[
    &families::Long,
    &families::NestedCounters,
    &families::RandomRegexes,
    &families::RandomGraphs,
    &families::Hybrid,
    &families::LongSystems,
    &families::RandomSystems,
    &families::Injection,
    &families::RandomGrammars,
];

/// The families, with a line each.
pub fn names() -> Vec<GeneratorInfo> {
    FAMILIES.iter().map(|family| family.info()).collect()
}

/// The tasks of the family `name`, for each of `alphabets` in turn. A parameter that is not given has its
/// default.
///
/// # Errors
/// When there is no such family or parameter (with the nearest right name), a value has the wrong type or
/// size, or no task comes of it.
///
/// ```
/// use generators::ParamValue;
/// use harness_model::Alphabet;
///
/// let params = [("n".to_owned(), ParamValue::Int(3))].into();
/// let tasks = generators::generate("long", &params, 0, &[Alphabet::Ascii])?;
/// assert_eq!(tasks[0].question.as_operations().unwrap().regexes[0].pattern, "[a-c]*a[a-c]{4}");
/// # Ok::<(), generators::GeneratorError>(())
/// ```
pub fn generate(
    name: &str,
    params: &BTreeMap<String, ParamValue>,
    seed: u64,
    alphabets: &[Alphabet],
) -> Result<Vec<Task>, GeneratorError> {
    let family = FAMILIES.iter().find(|family| family.info().name == name).ok_or_else(|| {
        GeneratorError::UnknownGenerator {
            name: name.to_owned(),
            hint: error::hint(name, FAMILIES.iter().map(|family| family.info().name)),
        }
    })?;
    let info = family.info();
    let params = Params::new(&info, params)?;
    let tasks = family.tasks(&params, seed, alphabets)?;
    if tasks.is_empty() {
        return Err(GeneratorError::Empty { generator: info.name });
    }
    Ok(tasks)
}
