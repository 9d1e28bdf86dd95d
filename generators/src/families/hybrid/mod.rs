//! Hybrid problems: conjunctions, or Boolean structure where asked for, that mix operations on strings,
//! regular expressions, conversions between strings and numbers, and arithmetic, on bounded variables.
//!
//! Every string has only characters of a given set (unless `bound_characters` is `none`) and a bounded
//! length, every integer a bounded value, and the script says so, so that trying all assignments decides it
//! when the bounds are small. Each constraint is of one of four groups ([`Group`]), which are drawn by
//! weight; which operation of its group it is, is equally likely. With `structure`, each assertion is a
//! Boolean term over such constraints and Boolean variables. With `functions`, texts and quantities are also
//! applications of functions without a definition, each with the bounds of a variable. No right answer is
//! stated.
//!
//! - [`draw`]: drawing constraints
//! - [`regex`]: drawing regular expressions

mod draw;
mod regex;

use harness_model::{Alphabet, Char, Question, SmtString, Task};

use crate::error::GeneratorError;
use crate::params::Params;
use crate::random::Random;
use crate::{Family, GeneratorInfo, ParamInfo};
use draw::Draw;

/// Hybrid problems.
pub struct Hybrid;

/// The four groups of constraints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Group {
    /// Operations on strings, with positions where they have some.
    Strings,
    /// Membership of a regular expression, or not.
    Memberships,
    /// Between strings and integers.
    Conversions,
    /// On integers and lengths.
    Arithmetic,
}

impl Group {
    /// All, in the order of the weights.
    pub(crate) const ALL: [Self; 4] = [Self::Strings, Self::Memberships, Self::Conversions, Self::Arithmetic];
}

/// How a script says which characters a string has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// It is a word over their class.
    Regex,
    /// What is at each position is a part of the text of all of them: for solvers without regular
    /// expressions.
    Positions,
    /// It does not.
    None,
}

/// Everything that decides what is drawn, but for the seed.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    pub(crate) string_variables: u32,
    pub(crate) int_variables: u32,
    pub(crate) bool_variables: u32,
    pub(crate) constraints: u32,
    /// How deep connectives are nested; 0 for conjunctions.
    pub(crate) structure: u32,
    /// Functions without a definition, from strings to strings, and as many to integers.
    pub(crate) functions: u32,
    /// In so many of 100 comparisons of numbers a product, a quotient or a remainder of unknowns.
    pub(crate) products: u32,
    /// By [`Group::ALL`].
    pub(crate) weights: [u32; 4],
    /// Sorted, without repetition, not empty.
    pub(crate) characters: Vec<Char>,
    pub(crate) bound: Bound,
    /// The greatest length of a string variable.
    pub(crate) max_length: u32,
    /// The greatest length of a constant.
    pub(crate) max_constant: u32,
    /// Integer variables have values from `-max_int` to `max_int`.
    pub(crate) max_int: u32,
}

/// How many problems when nothing is said.
const COUNT: u32 = 100;
const MAX_COUNT: u32 = 1_000_000;
const PRINTABLE: &str =
    " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";

impl Family for Hybrid {
    fn info(&self) -> GeneratorInfo {
        GeneratorInfo {
            name: "hybrid",
            summary: "conjunctions (or Boolean structure) of string operations, memberships, conversions and arithmetic on \
                      bounded variables, as SMT-LIB scripts",
            scripts: true,
            params: &[
                ParamInfo { name: "name", summary: "part of the tasks' names; problems by default" },
                ParamInfo { name: "count", summary: "how many problems; 100 by default" },
                ParamInfo { name: "constraints", summary: "in each, a number or a list; 5 by default" },
                ParamInfo { name: "string_variables", summary: "2 by default" },
                ParamInfo { name: "int_variables", summary: "2 by default" },
                ParamInfo {
                    name: "structure",
                    summary: "how deep connectives and ite are nested in each constraint; 0 by default, a conjunction",
                },
                ParamInfo {
                    name: "bool_variables",
                    summary: "Boolean ones, used where structure is above 0; 0 by default",
                },
                ParamInfo {
                    name: "functions",
                    summary: "functions without a definition, so many from strings to strings and so many to integers; 0 by \
                              default. Their values have the bounds of variables",
                },
                ParamInfo {
                    name: "products",
                    summary: "in so many of 100 comparisons of numbers, a product, quotient or remainder of unknowns; 0 by \
                              default",
                },
                ParamInfo { name: "strings", summary: "weight of operations on strings; 4 by default" },
                ParamInfo { name: "memberships", summary: "weight of regular expressions; 2 by default" },
                ParamInfo {
                    name: "conversions",
                    summary: "weight of conversions between strings and numbers; 2 by default",
                },
                ParamInfo { name: "arithmetic", summary: "weight of arithmetic; 2 by default" },
                ParamInfo {
                    name: "characters",
                    summary: "the characters of strings; all printable ones of ASCII by default",
                },
                ParamInfo {
                    name: "bound_characters",
                    summary: "how the script says which they are: regex (by default), positions (a condition on each \
                              position, without regular expressions) or none (only constants have them)",
                },
                ParamInfo { name: "max_length", summary: "of string variables; 10 by default" },
                ParamInfo { name: "constant_max_length", summary: "of string constants; 3 by default" },
                ParamInfo {
                    name: "max_int",
                    summary: "the greatest value of integer variables, and the opposite of the least; 999 by default",
                },
            ],
        }
    }

    fn tasks(
        &self,
        params: &Params<'_>,
        seed: u64,
        alphabets: &[Alphabet],
    ) -> Result<Vec<Task>, GeneratorError> {
        let name = params.name_part("name", "problems")?;
        let count = params.int("count", COUNT, 1, MAX_COUNT)?;
        let sizes = params.ints("constraints", &[5], 1, 1000)?;
        if sizes.is_empty() {
            return Err(params.bad("constraints", "at least one number is wanted"));
        }
        let profile = profile(params, alphabets)?;
        let mut tasks = Vec::with_capacity(alphabets.len() * count as usize);
        for &alphabet in alphabets {
            for number in 0..count {
                let constraints = sizes[number as usize % sizes.len()];
                let profile = Profile { constraints, ..profile.clone() };
                let text = Draw::new(&profile, Random::new(seed, u64::from(number))).script();
                tasks.push(Task {
                    parameters: Default::default(),
                    id: format!("hybrid/{alphabet}/{name}/{:06}", number + 1),
                    family: format!("hybrid/{name}"),
                    question: Question::of_script(alphabet, text, 1),
                    expected: None,
                });
            }
        }
        Ok(tasks)
    }
}

/// What the parameters say, but for the number of constraints.
fn profile(params: &Params<'_>, alphabets: &[Alphabet]) -> Result<Profile, GeneratorError> {
    let bound = match params.text("bound_characters", "regex")? {
        "regex" => Bound::Regex,
        "positions" => Bound::Positions,
        "none" => Bound::None,
        other => {
            return Err(
                params.bad("bound_characters", format!("'{other}' is not one of regex, positions, none"))
            );
        }
    };
    let profile = Profile {
        bound,
        string_variables: params.int("string_variables", 2, 1, 1000)?,
        int_variables: params.int("int_variables", 2, 1, 1000)?,
        bool_variables: params.int("bool_variables", 0, 0, 1000)?,
        constraints: 0,
        structure: params.int("structure", 0, 0, 8)?,
        functions: params.int("functions", 0, 0, 100)?,
        products: params.int("products", 0, 0, 100)?,
        weights: [
            params.int("strings", 4, 0, 1000)?,
            params.int("memberships", 2, 0, 1000)?,
            params.int("conversions", 2, 0, 1000)?,
            params.int("arithmetic", 2, 0, 1000)?,
        ],
        characters: characters(params, alphabets)?,
        max_length: params.int("max_length", 10, 1, 10_000)?,
        max_constant: params.int("constant_max_length", 3, 1, 1000)?,
        max_int: params.int("max_int", 999, 1, 1_000_000_000)?,
    };
    if profile.weights == [0; 4] {
        return Err(params.bad("strings", "the four weights may not all be 0"));
    }
    Ok(profile)
}

fn characters(params: &Params<'_>, alphabets: &[Alphabet]) -> Result<Vec<Char>, GeneratorError> {
    let mut all: Vec<Char> =
        params.text("characters", PRINTABLE)?.chars().map(|c| Char(u32::from(c))).collect();
    all.sort_unstable();
    all.dedup();
    let Some(last) = all.last() else { return Err(params.bad("characters", "at least one is wanted")) };
    match alphabets.iter().find(|a| !a.contains(*last)) {
        Some(alphabet) => {
            Err(params.bad("characters", format!("{last:?} is not in the alphabet {alphabet}")))
        }
        None => Ok(all),
    }
}

/// A string as a literal of SMT-LIB.
fn literal(text: &SmtString) -> String {
    format!("\"{}\"", text.to_string().replace('"', "\"\""))
}

/// An integer as a term of SMT-LIB.
fn integer(value: i64) -> String {
    if value < 0 { format!("(- {})", value.unsigned_abs()) } else { value.to_string() }
}

#[cfg(test)]
mod tests;
