//! Random string graphs: conjunctions of operations of `java.lang.String` on bounded strings.
//!
//! From the string-graph study (Redelinghuys, *Symbolic String Execution*, section 4.2) and the random tester
//! that was published with it: the parameters, their defaults and the named sets of kinds are that tester's.
//! Its mistakes are not, unless `published_slips` asks for them: it makes trim edges and never puts them in;
//! it rounds where it draws a kind, so that the first one has half a share and the last one and a half; the
//! last character is never drawn; integer constants are up to 199, although no index is above 30, and one
//! pool of integers serves as positions and as codes. Its generator of random numbers is Java's, which is not
//! reproduced: the same seed gives other graphs.
//!
//! - [`kind`]: the kinds of edges and their sets
//! - [`graph`]: graphs and their text
//! - [`meaning`]: what they mean
//! - [`draw`]: drawing them

pub mod draw;
pub mod graph;
pub mod kind;
pub mod meaning;

use std::collections::BTreeMap;

use harness_model::{Alphabet, Char, Question, Task};

use crate::error::GeneratorError;
use crate::params::{ParamValue, Params};
use crate::random::Random;
use crate::{Family, GeneratorInfo, ParamInfo};
use draw::Profile;
pub use graph::Graph;
use kind::{Kind, SETS, Weights, named_set};

/// Random graphs.
pub struct RandomGraphs;

/// How many graphs when nothing is said.
const COUNT: u32 = 100;
const MAX_COUNT: u32 = 1_000_000;

impl Family for RandomGraphs {
    fn info(&self) -> GeneratorInfo {
        GeneratorInfo {
            name: "random-graphs",
            summary: "conjunctions of random operations of java.lang.String on bounded strings, as SMT-LIB scripts",
            scripts: true,
            params: &[
                ParamInfo { name: "name", summary: "part of the tasks' names; graphs by default" },
                ParamInfo { name: "count", summary: "how many graphs; 100 by default" },
                ParamInfo { name: "edges", summary: "operations in each, a number or a list; 5 by default" },
                ParamInfo {
                    name: "kinds",
                    summary: "default, default-2, good, small or thesis-4.2, or a list of kinds, each with ':WEIGHT' or not; \
                              good by default",
                },
                ParamInfo { name: "string_variables", summary: "2 by default" },
                ParamInfo { name: "string_constants", summary: "5 by default" },
                ParamInfo { name: "constant_min_length", summary: "of string constants; 1 by default" },
                ParamInfo { name: "constant_max_length", summary: "of string constants; 5 by default" },
                ParamInfo {
                    name: "int_variables",
                    summary: "for positions, and as many for codes; 2 by default",
                },
                ParamInfo {
                    name: "int_constants",
                    summary: "for positions, and as many for codes; 2 by default",
                },
                ParamInfo { name: "min_length", summary: "of string variables; 1 by default" },
                ParamInfo { name: "max_length", summary: "of string variables; 30 by default" },
                ParamInfo {
                    name: "characters",
                    summary: "the characters of strings; all printable ones of ASCII by default",
                },
                ParamInfo {
                    name: "published_slips",
                    summary: "draw as the published tester did, mistakes included",
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
        let name = params.name_part("name", "graphs")?;
        let count = params.int("count", COUNT, 1, MAX_COUNT)?;
        let (profiles, sizes) = profiles(params, alphabets)?;
        let mut tasks = Vec::with_capacity(alphabets.len() * count as usize);
        for &alphabet in alphabets {
            for number in 0..count {
                let graph = profiles[number as usize % sizes].draw(&mut Random::new(seed, u64::from(number)));
                tasks.push(Task {
                    parameters: Default::default(),
                    id: format!("random-graphs/{alphabet}/{name}/{:06}", number + 1),
                    family: format!("random-graphs/{name}"),
                    question: Question::of_script(alphabet, graph.script(), 1),
                    expected: None,
                });
            }
        }
        Ok(tasks)
    }
}

/// The graphs behind the tasks of [`crate::generate`] in one alphabet, in the same order.
///
/// # Errors
/// As there.
pub fn graphs(
    params: &BTreeMap<String, ParamValue>,
    seed: u64,
    alphabet: Alphabet,
) -> Result<Vec<Graph>, GeneratorError> {
    let info = RandomGraphs.info();
    let params = Params::new(&info, params)?;
    let count = params.int("count", COUNT, 1, MAX_COUNT)?;
    let (profiles, sizes) = profiles(&params, &[alphabet])?;
    let draw = |n: u32| profiles[n as usize % sizes].draw(&mut Random::new(seed, u64::from(n)));
    Ok((0..count).map(draw).collect())
}

/// One profile for each number of edges, and how many there are.
fn profiles(params: &Params<'_>, alphabets: &[Alphabet]) -> Result<(Vec<Profile>, usize), GeneratorError> {
    let small = |name, default| params.int(name, default, 0, 1000);
    let range = |low: &'static str, high: &'static str, defaults: [u32; 2]| {
        let high_value = params.int(high, defaults[1], 0, 100_000)?;
        let low_value = params.int(low, defaults[0].min(high_value), 0, 100_000)?;
        if low_value > high_value {
            return Err(params.bad(low, format!("it may not be above '{high}', which is {high_value}")));
        }
        Ok([low_value, high_value])
    };
    let profile = Profile {
        edges: 0,
        weights: weights(params)?,
        string_variables: params.int("string_variables", 2, 1, 1000)?,
        string_constants: small("string_constants", 5)?,
        constant_length: range("constant_min_length", "constant_max_length", [1, 5])?,
        int_variables: small("int_variables", 2)?,
        int_constants: small("int_constants", 2)?,
        length: range("min_length", "max_length", [1, 30])?,
        characters: characters(params, alphabets)?,
        slips: params.flag("published_slips", false)?,
    };
    let used =
        || Kind::ALL.iter().zip(profile.weights).filter(|(_, weight)| *weight > 0).map(|(kind, _)| kind);
    let places = used().map(|kind| kind.strings()).max().unwrap_or(0);
    if ((profile.string_variables + profile.string_constants) as usize) < places {
        return Err(params.bad("string_variables", format!("there must be {places} different strings")));
    }
    if profile.int_variables + profile.int_constants == 0 && used().any(|kind| !kind.ints().is_empty()) {
        return Err(params.bad("int_variables", "some kinds need an integer variable or constant"));
    }
    let edges = params.ints("edges", &[5], 1, 10_000)?;
    let sizes = edges.len();
    if edges.is_empty() {
        return Err(params.bad("edges", "at least one number is wanted"));
    }
    Ok((edges.into_iter().map(|edges| Profile { edges, ..profile.clone() }).collect(), sizes))
}

fn weights(params: &Params<'_>) -> Result<Weights, GeneratorError> {
    let given = params.texts("kinds", &["good"])?;
    if let [one] = given.as_slice()
        && let Some(weights) = named_set(one)
    {
        return Ok(weights);
    }
    let mut weights = [0; Kind::ALL.len()];
    for entry in given {
        let (name, weight) = entry.split_once(':').unwrap_or((entry, "1"));
        let Some(place) = Kind::ALL.iter().position(|k| k.name() == name) else {
            let known = SETS.into_iter().chain(Kind::ALL.iter().map(|k| k.name()));
            return Err(
                params.bad("kinds", format!("there is no '{name}'{}", crate::error::hint(name, known)))
            );
        };
        let weight = weight.parse::<u32>().ok().filter(|&w| w <= 1000);
        let Some(weight) = weight else {
            return Err(params.bad("kinds", format!("after ':' in '{entry}' a number up to 1000 is wanted")));
        };
        if weights[place] != 0 {
            return Err(params.bad("kinds", format!("'{name}' is there twice")));
        }
        weights[place] = weight;
    }
    if weights.iter().all(|&w| w == 0) {
        return Err(params.bad("kinds", "at least one kind must have a weight above 0"));
    }
    Ok(weights)
}

fn characters(params: &Params<'_>, alphabets: &[Alphabet]) -> Result<Vec<Char>, GeneratorError> {
    const PRINTABLE: &str =
        " !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~";
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

#[cfg(test)]
mod tests;
