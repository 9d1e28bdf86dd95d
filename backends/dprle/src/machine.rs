//! A system made ready to be solved: every language an automaton, every piece of a concatenation a node.
//!
//! Nodes are the variables, in their order, and after them a node for each word that occurs in a
//! concatenation.

use backends_algebra::{BooleanAlgebra, MintermMethod};
use backends_api::{Budget, Stop};
use backends_automata::{Sfa, SfaBuilder, StateId, Tally, complement, construct, eliminate, minimize, trim};
use harness_model::{CharSet, Regex};
use harness_systems::{Automaton, Language, Piece, Relation, System};

/// A language.
pub type Lang<A> = Sfa<<A as BooleanAlgebra>::Set>;

/// A constraint: the concatenation of these nodes is within the language.
pub struct Inclusion<A: BooleanAlgebra> {
    /// One after the other.
    pub nodes: Vec<usize>,
    /// The language.
    pub right: Lang<A>,
}

/// A system made ready.
pub struct Machine<A: BooleanAlgebra> {
    /// How many variables there are; the first nodes are these.
    pub variables: usize,
    /// Of the other nodes: their only words.
    pub words: Vec<Lang<A>>,
    /// What must hold.
    pub inclusions: Vec<Inclusion<A>>,
}

/// How automata are handled on the way.
pub struct Tools<'a, A> {
    /// The algebra of the labels.
    pub algebra: &'a A,
    /// What is left to be spent.
    pub budget: &'a Budget,
    /// Whether each automaton is minimised when it was made.
    pub minimise: bool,
    /// What was done.
    pub tally: std::cell::RefCell<Tally>,
}

impl<'a, A: BooleanAlgebra> Tools<'a, A> {
    /// With nothing done yet.
    pub fn new(algebra: &'a A, budget: &'a Budget, minimise: bool) -> Self {
        Self { algebra, budget, minimise, tally: Default::default() }
    }

    /// An automaton that was made, without states that lead nowhere; minimised, where that is wanted.
    pub fn tidy(&self, made: &Lang<A>) -> Result<Lang<A>, Stop> {
        if self.minimise {
            return self.smallest(made);
        }
        trim(made, self.budget)
    }

    /// The smallest deterministic automaton of a language, without states that lead nowhere.
    pub fn smallest(&self, of: &Lang<A>) -> Result<Lang<A>, Stop> {
        let mut tally = self.tally.borrow_mut();
        let small = minimize(self.algebra, of, MintermMethod::RankOrder, self.budget, &mut tally)?;
        trim(&small, self.budget)
    }

    /// The words in both, by the whole product.
    pub fn intersection(&self, a: &Lang<A>, b: &Lang<A>) -> Result<Lang<A>, Stop> {
        let mut tally = self.tally.borrow_mut();
        let made = backends_automata::intersection(self.algebra, a, b, self.budget, &mut tally)?;
        drop(tally);
        self.tidy(&made)
    }

    /// All other words, by determinisation.
    pub fn complement(&self, a: &Lang<A>) -> Result<Lang<A>, Stop> {
        let mut tally = self.tally.borrow_mut();
        complement(self.algebra, a, MintermMethod::RankOrder, self.budget, &mut tally)
    }

    /// The automaton of an expression.
    pub fn regex(&self, regex: &Regex) -> Result<Lang<A>, Stop> {
        eliminate(self.algebra, &construct(self.algebra, regex, self.budget)?, self.budget)
    }

    /// Every word.
    pub fn all_words(&self) -> Result<Lang<A>, Stop> {
        self.regex(&Regex::set(CharSet::full(self.algebra.alphabet())).star())
    }

    /// The automaton of a language as it was written.
    pub fn language(&self, language: &Language) -> Result<Lang<A>, Stop> {
        match language {
            Language::Regex(regex) => self.regex(regex),
            Language::Automaton(automaton) => self.automaton(automaton),
        }
    }

    fn automaton(&self, automaton: &Automaton) -> Result<Lang<A>, Stop> {
        let mut builder = SfaBuilder::new();
        let mut states: Vec<StateId> = Vec::with_capacity(automaton.states);
        for state in 0..automaton.states {
            states.push(builder.add_state(state == automaton.end)?);
        }
        for step in &automaton.moves {
            self.budget.tick()?;
            let (from, to) = (states[step.from], states[step.to]);
            match &step.reads {
                None => builder.add_epsilon(from, to)?,
                Some(set) => {
                    let label = self.algebra.of_ranges(set.ranges())?;
                    if !self.algebra.is_empty(&label)? {
                        builder.add_move(from, label, to)?;
                    }
                }
            }
        }
        eliminate(self.algebra, &builder.freeze_with_epsilons(states[automaton.start]), self.budget)
    }
}

impl<A: BooleanAlgebra> Machine<A> {
    /// Of a system. That a word is not in a language is that it is in the complement, which is made at once.
    pub fn new(system: &System, tools: &Tools<'_, A>) -> Result<Self, Stop> {
        let variables = system.variables.len();
        let (mut words, mut inclusions) = (Vec::new(), Vec::new());
        for constraint in &system.constraints {
            let mut nodes = Vec::with_capacity(constraint.pieces.len());
            for piece in &constraint.pieces {
                match piece {
                    Piece::Variable(variable) => nodes.push(variable.0),
                    Piece::Word(word) => {
                        nodes.push(variables + words.len());
                        words.push(tools.regex(&Regex::literal(word))?);
                    }
                }
            }
            let right = tools.language(&constraint.language)?;
            let right = match constraint.relation {
                Relation::In => right,
                Relation::NotIn => trim(&tools.complement(&right)?, tools.budget)?,
            };
            inclusions.push(Inclusion { nodes, right });
        }
        Ok(Self { variables, words, inclusions })
    }

    /// How many nodes.
    pub fn nodes(&self) -> usize {
        self.variables + self.words.len()
    }
}
