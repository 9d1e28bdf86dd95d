//! The crate `regex-automata`: deterministic automata over the bytes of UTF-8, dense (built whole) or lazy
//! (built while they are walked, its `hybrid` module).
//!
//! The library matches text and has no operation on two automata, so the search for a pair of states that
//! proves non-emptiness is ours: breadth first, over one byte of each class that the two automata tell apart.
//! Its own alphabet is that of scalar values, see [`crate::scalar`]; every alphabet of a task goes through
//! UTF-8. It has neither complement nor intersection inside of expressions, and says `unsupported` to them.
//!
//! Expressions are handed over as `regex_syntax`'s `Hir`. Anchored, with all matches kept, so that a state
//! accepts exactly when the word read so far matches as a whole.

use std::cell::RefCell;
use std::hash::Hash;

use backends_api::{BackendError, Budget, Probe, Stop};
use backends_input::Expressions;
use harness_model::{Answer, OperationKind, Outcome, Regex};
use regex_automata::dfa::{Automaton, dense};
use regex_automata::hybrid::{LazyStateID, dfa as hybrid};
use regex_automata::nfa::thompson::{self, NFA};
use regex_automata::util::primitives::StateID;
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind};
use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, Hir, Repetition};
use rustc_hash::FxHashSet;

use crate::peer::Limits;
use crate::scalar;

/// With dense automata, which are built for the whole question first.
pub fn answer_dense(
    asked: &Expressions,
    limits: &Limits,
    budget: &Budget,
    probe: &Probe,
) -> Result<Outcome, BackendError> {
    answer(asked, limits, budget, probe, |nfa| {
        let config = dense::Config::new()
            .match_kind(MatchKind::All)
            .start_kind(regex_automata::dfa::StartKind::Anchored)
            .dfa_size_limit(Some(bytes(limits)))
            .determinize_size_limit(Some(bytes(limits)));
        let built = dense::Builder::new().configure(config).build_from_nfa(nfa);
        Ok(Dense(built.map_err(|_| too_large("a dense automaton of regex-automata", limits.memory))?))
    })
}

/// With lazy automata, each with one cache for the whole question.
pub fn answer_hybrid(
    asked: &Expressions,
    limits: &Limits,
    budget: &Budget,
    probe: &Probe,
) -> Result<Outcome, BackendError> {
    answer(asked, limits, budget, probe, |nfa| {
        // A cache that is cleared would make the states that a search holds meaningless: rather give up.
        let config = hybrid::Config::new()
            .match_kind(MatchKind::All)
            .cache_capacity(bytes(limits))
            .minimum_cache_clear_count(Some(0))
            .skip_cache_capacity_check(true);
        let dfa = hybrid::Builder::new()
            .configure(config)
            .build_from_nfa(nfa.clone())
            .map_err(|_| too_large("a lazy automaton of regex-automata", limits.memory))?;
        let cache = RefCell::new(dfa.create_cache());
        Ok(Hybrid { dfa, cache, memory: limits.memory })
    })
}

/// The memory of one automaton.
const fn bytes(limits: &Limits) -> usize {
    limits.memory << 20
}

const fn too_large(what: &'static str, memory: usize) -> BackendError {
    BackendError::Stopped(Stop::Size { what, limit: memory as u64, unit: "MiB" })
}

fn answer<D: ByteAutomaton>(
    asked: &Expressions,
    limits: &Limits,
    budget: &Budget,
    probe: &Probe,
    build: impl Fn(&NFA) -> Result<D, BackendError>,
) -> Result<Outcome, BackendError> {
    let automata = probe.phase("build", || {
        let config = thompson::Config::new().utf8(true).nfa_size_limit(Some(bytes(limits)));
        let config = config.which_captures(thompson::WhichCaptures::None);
        let mut automata = Vec::with_capacity(asked.regexes().len());
        for regex in asked.regexes() {
            budget.tick()?;
            budget.look()?;
            let nfa = thompson::Compiler::new()
                .configure(config.clone())
                .build_from_hir(&hir(regex)?)
                .map_err(|_| too_large("a Thompson automaton of regex-automata", limits.memory))?;
            automata.push(build(&nfa)?);
        }
        Ok::<_, BackendError>(automata)
    })?;
    let mut answers = Vec::with_capacity(asked.operations().len());
    let (mut states, mut transitions) = (0, 0);
    for operation in asked.operations() {
        let word = probe.phase(operation.kind.name(), || {
            let (left, right) = (&automata[operation.left], &automata[operation.right]);
            let mut search = Search { left, right, kind: operation.kind, nodes: Vec::new(), transitions: 0 };
            let word = search.run(limits.pairs, budget);
            states += search.nodes.len() as u64;
            transitions += search.transitions;
            word
        })?;
        answers.push(match word.map(String::from_utf8) {
            None => Answer::empty(),
            Some(Ok(text)) => Answer::word(scalar::word(&text)),
            Some(Err(error)) => {
                return Err(BackendError::Internal(format!("a witness that is not UTF-8: {error}")));
            }
        });
    }
    probe.count("states", states);
    probe.count("transitions", transitions);
    Ok(Outcome { answers })
}

/// The library's expression.
fn hir(regex: &Regex) -> Result<Hir, BackendError> {
    let all = |parts: &[Regex]| parts.iter().map(hir).collect::<Result<Vec<_>, _>>();
    Ok(match regex {
        Regex::Empty => Hir::fail(),
        Regex::Epsilon => Hir::empty(),
        Regex::Set(set) => {
            let ranges = scalar::ranges(set).map(|(low, high)| ClassUnicodeRange::new(low, high));
            Hir::class(Class::Unicode(ClassUnicode::new(ranges)))
        }
        Regex::Concat(parts) => Hir::concat(all(parts)?),
        Regex::Union(parts) => Hir::alternation(all(parts)?),
        Regex::Repeat { max: Some(max), min, .. } if max < min => Hir::fail(),
        Regex::Repeat { inner, min, max } => {
            Hir::repetition(Repetition { min: *min, max: *max, greedy: true, sub: Box::new(hir(inner)?) })
        }
        Regex::Inter(_) => {
            return Err(BackendError::Unsupported("intersection in regex-automata".to_owned()));
        }
        Regex::Complement(_) => {
            return Err(BackendError::Unsupported("complement in regex-automata".to_owned()));
        }
    })
}

/// What the search needs of an automaton.
trait ByteAutomaton {
    type State: Copy + Eq + Hash;

    fn initial(&self) -> Result<Self::State, BackendError>;
    fn next(&self, state: Self::State, byte: u8) -> Result<Self::State, BackendError>;
    /// Whether no word leads from here to acceptance; may miss some.
    fn is_dead(&self, state: Self::State) -> bool;
    fn is_accepting(&self, state: Self::State) -> Result<bool, BackendError>;
    fn class_of(&self, byte: u8) -> u8;
}

fn anchored() -> start::Config {
    start::Config::new().anchored(Anchored::Yes)
}

struct Dense(dense::DFA<Vec<u32>>);

impl ByteAutomaton for Dense {
    type State = StateID;

    fn initial(&self) -> Result<StateID, BackendError> {
        self.0.start_state(&anchored()).map_err(|e| BackendError::Internal(format!("regex-automata: {e}")))
    }

    fn next(&self, state: StateID, byte: u8) -> Result<StateID, BackendError> {
        Ok(self.0.next_state(state, byte))
    }

    fn is_dead(&self, state: StateID) -> bool {
        self.0.is_dead_state(state)
    }

    fn is_accepting(&self, state: StateID) -> Result<bool, BackendError> {
        Ok(self.0.is_match_state(self.0.next_eoi_state(state)))
    }

    fn class_of(&self, byte: u8) -> u8 {
        self.0.byte_classes().get(byte)
    }
}

struct Hybrid {
    /// The limit of the cache, in MiB.
    memory: usize,
    dfa: hybrid::DFA,
    cache: RefCell<hybrid::Cache>,
}

impl ByteAutomaton for Hybrid {
    type State = LazyStateID;

    fn initial(&self) -> Result<LazyStateID, BackendError> {
        let mut cache = self.cache.borrow_mut();
        self.dfa
            .start_state(&mut cache, &anchored())
            .map_err(|e| BackendError::Internal(format!("regex-automata: {e}")))
    }

    fn next(&self, state: LazyStateID, byte: u8) -> Result<LazyStateID, BackendError> {
        let mut cache = self.cache.borrow_mut();
        self.dfa
            .next_state(&mut cache, state, byte)
            .map_err(|_| too_large("the cache of a lazy automaton of regex-automata", self.memory))
    }

    fn is_dead(&self, state: LazyStateID) -> bool {
        state.is_dead()
    }

    fn is_accepting(&self, state: LazyStateID) -> Result<bool, BackendError> {
        let mut cache = self.cache.borrow_mut();
        self.dfa
            .next_eoi_state(&mut cache, state)
            .map(|end| end.is_match())
            .map_err(|_| too_large("the cache of a lazy automaton of regex-automata", self.memory))
    }

    fn class_of(&self, byte: u8) -> u8 {
        self.dfa.byte_classes().get(byte)
    }
}

/// A breadth-first search of pairs of states.
struct Search<'a, D: ByteAutomaton> {
    left: &'a D,
    right: &'a D,
    kind: OperationKind,
    /// Left and right state, the number of the node before, and the byte that led here.
    nodes: Vec<(D::State, D::State, usize, u8)>,
    transitions: u64,
}

impl<D: ByteAutomaton> Search<'_, D> {
    fn run(&mut self, most: usize, budget: &Budget) -> Result<Option<Vec<u8>>, BackendError> {
        // One byte of each class that the two tell apart together.
        let mut classes = FxHashSet::default();
        let bytes: Vec<u8> =
            (0..=255).filter(|&b| classes.insert((self.left.class_of(b), self.right.class_of(b)))).collect();
        let initial = (self.left.initial()?, self.right.initial()?);
        let mut seen = FxHashSet::default();
        seen.insert(initial);
        self.nodes.push((initial.0, initial.1, usize::MAX, 0));
        let mut at = 0;
        while let Some(&(left, right, ..)) = self.nodes.get(at) {
            budget.tick()?;
            let in_left = self.left.is_accepting(left)?;
            if in_left && self.right.is_accepting(right)? == (self.kind == OperationKind::Product) {
                return Ok(Some(self.word_to(at)));
            }
            if seen.len() > most {
                let limit = most as u64;
                return Err(Stop::Size { what: "the search", limit, unit: "pairs of states" }.into());
            }
            for &byte in &bytes {
                let next_left = self.left.next(left, byte)?;
                if self.left.is_dead(next_left) {
                    continue;
                }
                let next_right = self.right.next(right, byte)?;
                if self.kind == OperationKind::Product && self.right.is_dead(next_right) {
                    continue;
                }
                self.transitions += 1;
                if seen.insert((next_left, next_right)) {
                    self.nodes.push((next_left, next_right, at, byte));
                }
            }
            at += 1;
        }
        Ok(None)
    }

    fn word_to(&self, mut at: usize) -> Vec<u8> {
        let mut word = Vec::new();
        while let Some(&(.., parent, byte)) = self.nodes.get(at).filter(|n| n.2 != usize::MAX) {
            word.push(byte);
            at = parent;
        }
        word.reverse();
        word
    }
}
