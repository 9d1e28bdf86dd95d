//! All of a system (figure 2.6): bounds of single variables, then groups, each of whose solutions goes on
//! with those of the groups before it.

use std::rc::Rc;

use backends_algebra::BooleanAlgebra;
use backends_api::{Probe, Stop};
use backends_automata::is_empty;

use crate::graph::DependencyGraph;
use crate::group::{Assignment, Solutions};
use crate::machine::{Machine, Tools};

/// How many assignments are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// The first one found.
    One,
    /// All of them.
    All,
}

/// The most assignments that are made.
const ASSIGNMENTS: usize = 1_000_000;

/// The assignments that satisfy a system, with at least one word for each node; none when there is no
/// solution.
///
/// Each solution in words is within one of all assignments. A language may be smaller than it need be.
pub fn solve<A: BooleanAlgebra>(
    machine: &Machine<A>,
    wanted: Wanted,
    tools: &Tools<'_, A>,
    probe: &Probe,
) -> Result<Vec<Assignment<A>>, Stop> {
    let Some(languages) = probe.phase("reduce", || reduce(machine, tools))? else { return Ok(Vec::new()) };
    let groups = DependencyGraph::of(machine).groups();
    probe.count("groups", groups.len() as u64);
    let mut worklist = vec![languages];
    for group in &groups {
        let base = worklist[0].clone();
        let found = probe.phase("gci", || {
            let mut solutions = Solutions::new(group, machine, base, tools)?;
            let mut found: Vec<Assignment<A>> = Vec::new();
            while let Some(solution) = solutions.next(tools, probe)? {
                found.push(solution);
                if wanted == Wanted::One {
                    break;
                }
            }
            Ok::<_, Stop>(found)
        })?;
        let Some(many) = found.len().checked_mul(worklist.len()).filter(|&many| many <= ASSIGNMENTS) else {
            return Err(Stop::Size { what: "the solution", limit: ASSIGNMENTS as u64, unit: "assignments" });
        };
        let nodes: Vec<usize> =
            group.inclusions.iter().flat_map(|&number| machine.inclusions[number].nodes.clone()).collect();
        let mut next = Vec::with_capacity(many);
        for one in &worklist {
            for solution in &found {
                let mut both = one.clone();
                nodes.iter().for_each(|&node| both[node] = Rc::clone(&solution[node]));
                next.push(both);
            }
        }
        worklist = next;
        if worklist.is_empty() {
            break;
        }
    }
    Ok(worklist)
}

/// The languages that the bounds of single nodes leave; `None` when one has no word, or the empty word is not
/// in a language that it has to be in.
fn reduce<A: BooleanAlgebra>(
    machine: &Machine<A>,
    tools: &Tools<'_, A>,
) -> Result<Option<Assignment<A>>, Stop> {
    let mut languages: Vec<Option<Rc<_>>> = vec![None; machine.variables];
    languages.extend(machine.words.iter().map(|word| Some(Rc::new(word.clone()))));
    for inclusion in &machine.inclusions {
        match inclusion.nodes.as_slice() {
            [] if !inclusion.right.is_final(inclusion.right.initial()) => return Ok(None),
            &[node] => {
                let bounded = match &languages[node] {
                    Some(language) => tools.intersection(language, &inclusion.right)?,
                    None => tools.tidy(&inclusion.right)?,
                };
                languages[node] = Some(Rc::new(bounded));
            }
            _ => {}
        }
    }
    let mut done = Vec::with_capacity(languages.len());
    for language in languages {
        let language = match language {
            Some(language) => language,
            None => Rc::new(tools.all_words()?),
        };
        if is_empty(&language, tools.budget)? {
            return Ok(None);
        }
        done.push(language);
    }
    Ok(Some(done))
}
