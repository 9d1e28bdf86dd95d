//! The one list of families of strategies. Concrete backends meet only here, and the runner's worker asks for
//! nothing else.
//!
//! A family is given what it is generic over: the algebras of labels, the solvers of integers, bit-vectors
//! and arrays. Features decide what is linked: `z3` (default) the predicate algebra and all families whose
//! integers Z3 solves, `peers` public libraries, `misbehaving` strategies that lie, sleep, crash and eat
//! memory, for tests. [`FEATURES`] says so once, for lists and errors.
//!
//! - [`picture`]: string graphs drawn

pub mod picture;

use std::collections::BTreeMap;

use backends_algebra::{Algebras, StudyAlgebras};
use backends_api::{Family, Registry, StrategyInfo};
use harness_model::Question;

#[cfg(feature = "z3")]
backends_algebra::algebra_list! {
    /// The algebras that need Z3.
    Z3Algebras: backends_z3::PredicateAlgebra,
}

/// The label algebras of all families but the representation study.
#[cfg(feature = "z3")]
const ALGEBRAS: (Algebras, Z3Algebras) = (Algebras, Z3Algebras);
/// The label algebras of families that need no Z3.
#[cfg(not(feature = "z3"))]
const ALGEBRAS: Algebras = Algebras;

/// The label algebras of the representation study.
#[cfg(feature = "z3")]
const STUDY: ((Algebras, StudyAlgebras), Z3Algebras) = ((Algebras, StudyAlgebras), Z3Algebras);
/// The label algebras of the representation study.
#[cfg(not(feature = "z3"))]
const STUDY: (Algebras, StudyAlgebras) = (Algebras, StudyAlgebras);

/// Every family that this build has, in the order in which their strategies are listed. Cheap: nothing is
/// initialised, no solver is touched.
pub fn registry() -> Registry {
    let mut all: Vec<Box<dyn Family>> =
        vec![Box::new(backends_sfa::SfaFamily::new(STUDY)), Box::new(backends_classes::ClassesFamily::new())];
    #[cfg(feature = "z3")]
    {
        use backends_z3::{Z3Arrays, Z3BitVectors, Z3Integers};
        all.push(Box::new(backends_graph_automata::GraphAutomataFamily::new(
            ALGEBRAS,
            Z3Integers::default(),
        )));
        all.push(Box::new(backends_hybrid::HybridFamily::new(ALGEBRAS, Z3Integers::default())));
        all.push(Box::new(backends_z3::NativeFamily::new()));
        all.push(Box::new(backends_z3::RexFamily::new()));
        all.push(Box::new(backends_bitvector::BitVectorFamily::new(Z3BitVectors, Z3Integers::default())));
        all.push(Box::new(backends_parray::ParrayFamily::new(Z3Arrays, Z3Integers::default())));
        all.push(Box::new(backends_interval::ArraysWithAutomataFamily::new(Z3Arrays, Z3Integers::default())));
    }
    all.push(Box::new(backends_dprle::DprleFamily::new(ALGEBRAS)));
    all.push(Box::new(backends_strsolve::StrSolveFamily::new(ALGEBRAS)));
    #[cfg(feature = "z3")]
    all.push(Box::new(backends_hampi::HampiFamily::new("z3", backends_z3::Z3BitVectors)));
    #[cfg(not(feature = "z3"))]
    all.push(Box::new(backends_hampi::HampiFamily::sat_alone()));
    all.push(Box::new(backends_cfg::CfgFamily::new()));
    all.push(Box::new(backends_interval::AutomataOnlyFamily::new()));
    all.push(Box::new(backends_bounded::BruteForceFamily::new()));
    all.push(Box::new(backends_external::ExternalFamily::new()));
    all.push(Box::new(backends_drivers::DriverFamily::new()));
    #[cfg(feature = "peers")]
    all.push(Box::new(backends_peers::PeerFamily::new()));
    #[cfg(feature = "misbehaving")]
    all.push(Box::new(harness_exec::misbehave::MisbehavingFamily::new()));
    Registry::new(all)
}

/// An operation on expressions as a script for any solver: [`backends_external::expressions::script`].
///
/// # Errors
///
/// When an expression cannot be read: why.
pub fn operation_as_script(question: &Question, number: usize) -> Result<Option<String>, String> {
    let Some(asked) = question.as_operations() else { return Ok(None) };
    backends_external::expressions::script(asked, number, question.alphabet)
        .map_err(|error| error.to_string())
}

/// What the listed strategies say of themselves, in the order of the list.
pub fn infos() -> Vec<StrategyInfo> {
    registry().listed().iter().map(|listed| listed.build().info()).collect()
}

/// Versions of the solvers that are linked, by name. Asks the libraries themselves, so call it in a process
/// that forks no worker afterwards.
pub fn versions() -> BTreeMap<String, String> {
    #[cfg(feature = "z3")]
    return [("z3".to_owned(), backends_z3::version().to_owned())].into();
    #[cfg(not(feature = "z3"))]
    BTreeMap::new()
}

/// A feature of the build that adds strategies.
pub struct Feature {
    /// The name that Cargo knows.
    pub name: &'static str,
    /// Whether this build has it.
    pub on: bool,
    /// The names of its strategies, as patterns.
    pub patterns: &'static [&'static str],
    /// What they are.
    pub about: &'static str,
}

/// The features that users choose.
pub const FEATURES: [Feature; 2] = [
    Feature {
        name: "z3",
        on: cfg!(feature = "z3"),
        patterns: &[
            "z3",
            "graph-*",
            "hybrid*",
            "parray*",
            "sfa-predicate-*",
            "dprle-predicate",
            "strsolve-predicate",
            "hampi",
            "rex",
        ],
        about: "what Z3 solves: whole problems, integers of string graphs, arrays, sets of characters as predicates",
    },
    Feature { name: "peers", on: cfg!(feature = "peers"), patterns: &["peer-*"], about: "public libraries" },
];

impl Feature {
    /// How to get it, as the end of a sentence.
    pub fn way_out(&self) -> String {
        format!("build with 'cargo build --release --features {}' ({})", self.name, self.about)
    }
}
