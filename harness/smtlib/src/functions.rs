//! Functions that a script declares, and arrays that it reads: each application is a constant of its own.
//!
//! Problems have no functions. `f(a)` becomes a constant, and where `f` is applied to `b` too, an assertion
//! says that equal arguments give equal results. That is Ackermann's reduction: the problem has a solution if
//! and only if the script has, and the values of the constants are the table of the function. An element of a
//! declared sort is an integer, for such a sort may be as large as it likes. An array that is only read is
//! no more than what it is read at: `(select a i)` is an application to `a` and `i`. Two arrays that differ
//! need no place where they do: among infinitely many places is one that the script does not mention, unless
//! something is said of every place. So arrays whose index has finitely many values are refused.
//!
//! `(store a i v)` is an array of its own, and for each place `j` at which arrays of the sort are read it is
//! said that it has `v` there if `j = i`, and else what `a` has. At places that nobody mentions all arrays may
//! have the same element, so that is all that has to be said, if two arrays that are said to differ do so at
//! a place that is mentioned: then one is.
//!
//! Congruence is by need: [`Functions::close`] looks at what the assertions of one query reach and relates
//! these applications alone. A function without a meaning here ([`Kind::Missing`]) is refused by need too:
//! where a result changes nothing, nobody has to know it.
//!
//! An invariant makes substitution a walk in the order of terms: the constant of an application is made after
//! its arguments.

use std::rc::Rc;

use harness_theory::op::CoreOp;
use harness_theory::term::{Term, TermId, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ReadError;
use crate::lex::{Kind as Token, Tokens};
use crate::numbers::{Numbers, literal};
use crate::recursion;
use crate::sorts::{Foreign, ForeignSort, ScriptSort, SortNames};

/// A term with the sort that it has in the script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Typed {
    /// The term of the problem.
    pub term: TermId,
    /// Its sort.
    pub sort: ScriptSort,
}

/// A function of one script: a place in [`Functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FunctionId(u32);

/// Where the results of a function come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The script declares it: it may be any function.
    Declared,
    /// It reads arrays of one sort, which may be any.
    Select,
    /// An array that is another one but for one place: at every place that arrays of the sort are read at, what
    /// it has there is said.
    Store,
    /// Its argument decides it, as constraints beside it say.
    Derived,
    /// Takes characters of a language away from the front of a string, or from its back.
    Strip {
        /// The language, of single characters.
        class: TermId,
        /// At which end.
        front: bool,
    },
    /// It has a meaning that is not built here; the message says what is missing.
    Missing(String),
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// What it takes.
    pub parameters: Vec<ScriptSort>,
    /// What it gives.
    pub result: ScriptSort,
    /// Where its results come from.
    pub kind: Kind,
}

/// A function applied to arguments.
#[derive(Clone, Debug)]
struct Application {
    function: FunctionId,
    arguments: Box<[TermId]>,
    constant: VarId,
    /// The token at which it stands first.
    at: usize,
}

/// A defined function: a body over parameters.
#[derive(Debug)]
pub struct Macro {
    /// The parameters, as variables of their own.
    pub parameters: Vec<VarId>,
    /// Their sorts.
    pub sorts: Vec<ScriptSort>,
    /// The body, over the parameters.
    pub body: Typed,
    /// The terms that the body is made of, arguments of applications among them, in order.
    pub cone: Vec<TermId>,
}

/// An assertion that holds for everything that its one parameter may be.
#[derive(Clone, Debug)]
pub struct Quantified {
    /// The assertion.
    pub definition: Rc<Macro>,
    /// Where the parameter stands: these arguments of these functions, and nowhere else.
    pub places: Vec<(FunctionId, usize)>,
    /// The token at which it stands.
    pub at: usize,
}

/// What a query needs beside its assertions.
#[derive(Debug, Default)]
pub struct Closure {
    /// More assertions, with the tokens at which their reasons stand.
    pub assertions: Vec<(TermId, usize)>,
    /// Constants that stand for applications, in order.
    pub constants: Vec<VarId>,
}

/// More pairs of applications than this are not related: each is an assertion.
const MOST_PAIRS: usize = 200_000;

/// More applications than this are not made: a few definitions that use each other can ask for any number.
const MOST_APPLICATIONS: usize = 500_000;

/// What is reached of the arrays of one sort.
#[derive(Default)]
struct Memory {
    /// The applications that store.
    stores: Vec<usize>,
    /// Where arrays are read.
    places: Vec<TermId>,
}

/// A closure that is being made.
#[derive(Default)]
struct Closing {
    closure: Closure,
    /// Terms that are reached and not looked at yet.
    waiting: Vec<TermId>,
    /// The assertions of the closure.
    said: FxHashSet<TermId>,
}

impl Closing {
    /// Adds an assertion, once.
    fn say(&mut self, assertion: TermId, at: usize) {
        if self.said.insert(assertion) {
            self.closure.assertions.push((assertion, at));
            self.waiting.push(assertion);
        }
    }
}

/// The functions and applications of one script.
#[derive(Debug, Default)]
pub struct Functions {
    functions: Vec<Function>,
    selects: FxHashMap<ForeignSort, FunctionId>,
    /// For each function that reads arrays, the one that stores in them.
    stores: FxHashMap<FunctionId, FunctionId>,
    missing: FxHashMap<(String, Vec<ScriptSort>, ScriptSort), FunctionId>,
    applications: Vec<Application>,
    known: FxHashMap<(FunctionId, Box<[TermId]>), usize>,
    of_constant: FxHashMap<VarId, usize>,
    /// Equations of arrays: both sides, and what reads them.
    arrays: FxHashMap<TermId, (TermId, TermId, FunctionId)>,
    /// For each function that reads arrays, one that gives a place where two of them differ; for each that
    /// strips, one that gives what it takes away.
    derived: FxHashMap<FunctionId, FunctionId>,
    /// Variables whose sort in the script has fewer values than the integers, with a token.
    bounded: FxHashMap<VarId, (ForeignSort, usize)>,
    /// Every symbol of the script, for names that are not among them.
    symbols: Option<FxHashSet<String>>,
    number: usize,
}

impl Functions {
    /// A function that the script declares.
    pub fn declare(&mut self, function: Function) -> FunctionId {
        let id = FunctionId(u32::try_from(self.functions.len()).unwrap_or(u32::MAX));
        self.functions.push(function);
        id
    }

    /// The function.
    pub fn get(&self, id: FunctionId) -> &Function {
        &self.functions[id.0 as usize]
    }

    /// Says where the results of a function come from, as soon as that is known.
    pub fn set_kind(&mut self, id: FunctionId, kind: Kind) {
        self.functions[id.0 as usize].kind = kind;
    }

    /// The applications of a function in a cone: constants and arguments.
    pub fn calls(
        &self,
        terms: &Terms,
        cone: &[TermId],
        function: FunctionId,
    ) -> Vec<(TermId, Box<[TermId]>)> {
        let calls = cone.iter().filter_map(|&id| {
            let application = self.application(terms, id)?;
            (application.function == function).then(|| (id, application.arguments.clone()))
        });
        calls.collect()
    }

    /// The function that reads arrays of the sort.
    pub fn select(&mut self, array: ForeignSort, index: ScriptSort, element: ScriptSort) -> FunctionId {
        if let Some(&known) = self.selects.get(&array) {
            return known;
        }
        let parameters = vec![ScriptSort::Foreign(array), index];
        let function =
            Function { name: "select".to_owned(), parameters, result: element, kind: Kind::Select };
        let id = self.declare(function);
        self.selects.insert(array, id);
        id
    }

    /// The function that stores in arrays of the sort.
    pub fn store(&mut self, array: ForeignSort, index: ScriptSort, element: ScriptSort) -> FunctionId {
        let select = self.select(array, index, element);
        if let Some(&known) = self.stores.get(&select) {
            return known;
        }
        let sort = ScriptSort::Foreign(array);
        let parameters = vec![sort, index, element];
        let id =
            self.declare(Function { name: "store".to_owned(), parameters, result: sort, kind: Kind::Store });
        self.stores.insert(select, id);
        id
    }

    /// A function of a theory that is not built here; `message` says so.
    pub fn missing(
        &mut self,
        name: &str,
        message: &str,
        parameters: Vec<ScriptSort>,
        result: ScriptSort,
    ) -> FunctionId {
        let key = (name.to_owned(), parameters, result);
        if let Some(&known) = self.missing.get(&key) {
            return known;
        }
        let kind = Kind::Missing(message.to_owned());
        let id = self.declare(Function { name: key.0.clone(), parameters: key.1.clone(), result, kind });
        self.missing.insert(key, id);
        id
    }

    /// Says that the variable has a sort of the script that may have fewer values than the integers.
    pub fn bound(&mut self, sorts: &SortNames, variable: VarId, sort: ScriptSort, at: usize) {
        let ScriptSort::Foreign(place) = sort else { return };
        match sorts.get(place) {
            Foreign::BitVec(_) | Foreign::Float { .. } | Foreign::RoundingMode => {
                self.bounded.insert(variable, (place, at));
            }
            Foreign::Declared(..) | Foreign::Array { .. } | Foreign::Hole(_) => {}
        }
    }

    /// `function` applied to `arguments`, which are of its parameters' sorts, at the token `at`.
    pub fn apply(
        &mut self,
        tokens: &Tokens<'_>,
        terms: &mut Terms,
        sorts: &SortNames,
        function: FunctionId,
        arguments: &[TermId],
        at: usize,
    ) -> Typed {
        let result = self.get(function).result;
        let key = (function, Box::from(arguments));
        if let Some(&known) = self.known.get(&key) {
            return Typed { term: terms.var(self.applications[known].constant), sort: result };
        }
        let name = self.get(function).name.clone();
        let name = self.fresh_name(tokens, &name);
        let constant = terms.variable(name, SortNames::in_problem(result));
        let place = self.applications.len();
        let arguments = Box::from(arguments);
        self.applications.push(Application { function, arguments, constant, at });
        self.known.insert(key, place);
        self.of_constant.insert(constant, place);
        self.bound(sorts, constant, result, at);
        Typed { term: terms.var(constant), sort: result }
    }

    /// That two terms of a sort are equal; of arrays it is kept which they are.
    fn equation(
        &mut self,
        terms: &mut Terms,
        sorts: &SortNames,
        sort: ScriptSort,
        a: TermId,
        b: TermId,
    ) -> TermId {
        if let ScriptSort::Foreign(place) = sort
            && let &Foreign::Array { index, element } = sorts.get(place)
            && a != b
        {
            let select = self.select(place, index, element);
            // In one order, so that two arrays differ at one place.
            return self.equal_arrays(terms, a.min(b), a.max(b), select);
        }
        Numbers::new(terms).equal(a, b)
    }

    /// That two arrays are equal, which `select` reads.
    pub fn equal_arrays(&mut self, terms: &mut Terms, a: TermId, b: TermId, select: FunctionId) -> TermId {
        let term = Numbers::new(terms).app(CoreOp::Eq, &[a, b]);
        self.arrays.insert(term, (a, b, select));
        term
    }

    /// A name for a constant that no symbol of the script is, which begins with `stem`.
    pub fn fresh_name(&mut self, tokens: &Tokens<'_>, stem: &str) -> String {
        let all = || {
            let symbols = (0..tokens.len()).filter(|&i| tokens.kind(i) == Token::Symbol);
            symbols.map(|i| String::from_utf8_lossy(tokens.bytes(i)).into_owned()).collect()
        };
        let symbols = self.symbols.get_or_insert_with(all);
        loop {
            self.number += 1;
            let name = format!("{stem}!{}", self.number);
            if !symbols.contains(&name) {
                return name;
            }
        }
    }

    /// The terms below `roots`, arguments of applications among them, in order.
    pub fn cone(&self, terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
        let mut cone = terms.cone(roots);
        if self.applications.is_empty() {
            return cone;
        }
        let mut inside: FxHashSet<TermId> = cone.iter().copied().collect();
        let mut waiting = cone.clone();
        while let Some(id) = waiting.pop() {
            let mut enter = |&id: &TermId| {
                if inside.insert(id) {
                    waiting.push(id);
                }
            };
            terms.arguments(id).iter().for_each(&mut enter);
            if let Some(application) = self.application(terms, id) {
                application.arguments.iter().for_each(&mut enter);
            }
        }
        cone = inside.into_iter().collect();
        cone.sort_unstable();
        cone
    }

    fn application(&self, terms: &Terms, id: TermId) -> Option<&Application> {
        match terms.get(id) {
            Term::Var(variable) => self.of_constant.get(variable).map(|&place| &self.applications[place]),
            Term::Bool(_) | Term::Int(_) | Term::String(_) | Term::App(..) => None,
        }
    }

    /// The body of `definition` with `arguments`, one for each parameter and of its sort.
    pub fn instantiate(
        &mut self,
        tokens: &Tokens<'_>,
        terms: &mut Terms,
        sorts: &SortNames,
        definition: &Macro,
        arguments: &[TermId],
    ) -> Result<Typed, String> {
        let mut new: FxHashMap<TermId, TermId> = FxHashMap::default();
        for &old in &definition.cone {
            let renewed = |arguments: &[TermId]| arguments.iter().map(|a| new[a]).collect::<Vec<_>>();
            let term = match terms.get(old) {
                Term::Var(v) => match definition.parameters.iter().position(|p| p == v) {
                    Some(place) => arguments[place],
                    None => match self.application(terms, old).cloned() {
                        None => old,
                        Some(application) => {
                            if self.applications.len() > MOST_APPLICATIONS {
                                return Err(format!(
                                    "more than {MOST_APPLICATIONS} applications are not supported"
                                ));
                            }
                            let arguments = renewed(&application.arguments);
                            let (function, at) = (application.function, application.at);
                            self.apply(tokens, terms, sorts, function, &arguments, at).term
                        }
                    },
                },
                Term::App(op, old_arguments) => {
                    let (op, arguments) = (*op, renewed(old_arguments));
                    let term = terms.app(op, &arguments).map_err(|e| e.to_string())?;
                    if let (Some(&(.., select)), [a, b]) = (self.arrays.get(&old), arguments.as_slice()) {
                        self.arrays.insert(term, (*a, *b, select));
                    }
                    term
                }
                Term::Bool(_) | Term::Int(_) | Term::String(_) => old,
            };
            new.insert(old, term);
        }
        Ok(Typed { term: new[&definition.body.term], sort: definition.body.sort })
    }

    /// The first application below `roots` that nobody can give a value, with what is missing.
    pub fn first_missing(&self, terms: &Terms, roots: &[TermId]) -> Option<(usize, &str)> {
        let cone = self.cone(terms, roots);
        cone.into_iter().find_map(|id| {
            let application = self.application(terms, id)?;
            match &self.get(application.function).kind {
                Kind::Missing(message) => Some((application.at, message.as_str())),
                Kind::Declared | Kind::Select | Kind::Store | Kind::Derived | Kind::Strip { .. } => None,
            }
        })
    }

    /// What those of `constants` stand for that are applications of the script's own functions, or reads of
    /// arrays.
    pub fn origins(&self, sorts: &SortNames, constants: &[VarId]) -> Vec<harness_theory::Application> {
        let of = |sort: &ScriptSort| sorts.of_values(*sort);
        let made = constants.iter().filter_map(|constant| {
            let application = &self.applications[*self.of_constant.get(constant)?];
            let function = self.get(application.function);
            let own = match function.kind {
                // Those without parameters stand for what no one mentions.
                Kind::Declared => {
                    !function.parameters.is_empty()
                        && !self.derived.values().any(|&d| d == application.function)
                }
                Kind::Select => true,
                Kind::Store | Kind::Derived | Kind::Strip { .. } | Kind::Missing(_) => false,
            };
            own.then(|| harness_theory::Application {
                function: function.name.clone(),
                parameters: function.parameters.iter().map(of).collect(),
                result: of(&function.result),
                arguments: application.arguments.to_vec(),
                constant: *constant,
            })
        });
        made.collect()
    }

    /// Whether every application below `roots` is one of `constants`.
    pub fn are_among(&self, terms: &Terms, roots: &[TermId], constants: &[VarId]) -> bool {
        self.applications.is_empty()
            || terms.cone(roots).into_iter().all(|id| {
                self.application(terms, id)
                    .is_none_or(|application| constants.contains(&application.constant))
            })
    }

    /// What the assertions `roots` and `quantified` need beside themselves. Cost: quadratic in the
    /// applications of one function that they reach.
    pub fn close(
        &mut self,
        tokens: &Tokens<'_>,
        terms: &mut Terms,
        sorts: &SortNames,
        roots: &[TermId],
        quantified: &[Quantified],
    ) -> Result<Closure, ReadError> {
        if self.applications.is_empty() && self.bounded.is_empty() && quantified.is_empty() {
            return Ok(Closure::default());
        }
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut closing = Closing { waiting: roots.to_vec(), ..Closing::default() };
        let mut pairs = 0;
        let mut reached: FxHashMap<FunctionId, Vec<usize>> = FxHashMap::default();
        let mut memory: FxHashMap<FunctionId, Memory> = FxHashMap::default();
        // What stands for all that are not mentioned.
        let mut others: Vec<(ScriptSort, TermId)> = Vec::new();
        // One thing that is not mentioned stands for all that are not.
        for one in quantified {
            let variable = &terms.variables()[one.definition.parameters[0].index()];
            let (name, sort) = (variable.name.clone(), variable.sort);
            let other = Function {
                name,
                parameters: Vec::new(),
                result: one.definition.sorts[0],
                kind: Kind::Declared,
            };
            debug_assert_eq!(SortNames::in_problem(other.result), sort);
            let function = self.declare(other);
            let other = self.apply(tokens, terms, sorts, function, &[], one.at).term;
            others.push((one.definition.sorts[0], other));
            self.instance(tokens, terms, sorts, one, other, &mut closing)?;
        }
        while let Some(id) = closing.waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            closing.waiting.extend(terms.arguments(id));
            if let Some(&arrays) = self.arrays.get(&id)
                && (!quantified.is_empty() || self.stores.contains_key(&arrays.2))
            {
                let at = quantified.first().map_or(0, |one| one.at);
                let (differs, at) = self.difference(tokens, terms, sorts, id, arrays, at);
                closing.say(differs, at);
            }
            let Term::Var(variable) = *terms.get(id) else { continue };
            if let Some(&(sort, at)) = self.bounded.get(&variable)
                && let Some(bounds) = Numbers::new(terms).bounds(sorts.get(sort), id)
            {
                closing.say(bounds, at);
            }
            let Some(&place) = self.of_constant.get(&variable) else { continue };
            let application = self.applications[place].clone();
            closing.closure.constants.push(variable);
            let kind = self.get(application.function).kind.clone();
            if matches!(kind, Kind::Select) {
                // What the array is a store into says what is read, whoever else mentions it.
                closing.waiting.push(application.arguments[0]);
            }
            match kind {
                Kind::Missing(message) => return Err(tokens.unsupported(application.at, message)),
                Kind::Derived => continue,
                Kind::Strip { class, front } => {
                    let taken = self.taken(application.function);
                    let source = application.arguments[0];
                    let taken = self.apply(tokens, terms, sorts, taken, &[source], application.at).term;
                    let parts = recursion::stripped(terms, [source, taken, id], class, front);
                    for part in parts.into_iter().flatten() {
                        closing.say(part, application.at);
                    }
                    continue;
                }
                Kind::Store => {
                    let ScriptSort::Foreign(sort) = self.get(application.function).result else { continue };
                    let Some(&select) = self.selects.get(&sort) else { continue };
                    let known = memory.entry(select).or_default();
                    known.stores.push(place);
                    let (places, i) = (known.places.clone(), application.arguments[1]);
                    let index = self.get(select).parameters[1];
                    for &(sort, other) in others.iter().filter(|(sort, _)| *sort == index) {
                        let same = self.equation(terms, sorts, sort, i, other);
                        closing.say(Numbers::new(terms).not(same), application.at);
                    }
                    pairs += places.len() + 1;
                    if !places.contains(&i) {
                        self.stored(tokens, terms, sorts, (select, place), i, &mut closing);
                    }
                    for j in places {
                        self.stored(tokens, terms, sorts, (select, place), j, &mut closing);
                    }
                    continue;
                }
                Kind::Select if self.stores.contains_key(&application.function) => {
                    let known = memory.entry(application.function).or_default();
                    let j = application.arguments[1];
                    if !known.places.contains(&j) {
                        known.places.push(j);
                        let stores = known.stores.clone();
                        pairs += stores.len();
                        for store in stores {
                            let select = (application.function, store);
                            self.stored(tokens, terms, sorts, select, j, &mut closing);
                        }
                    }
                }
                Kind::Declared | Kind::Select => {}
            }
            let others = reached.entry(application.function).or_default();
            pairs += others.len();
            if pairs > MOST_PAIRS {
                let name = &self.functions[application.function.0 as usize].name;
                let message =
                    format!("so many applications of '{name}' are not supported: {MOST_PAIRS} pairs at most");
                return Err(tokens.unsupported(application.at, message));
            }
            for &other in others.iter() {
                if let Some(congruence) = self.congruence(terms, sorts, place, other) {
                    closing.say(congruence, application.at);
                }
            }
            others.push(place);
            for one in quantified {
                for &(function, argument) in &one.places {
                    if function == application.function {
                        let term = application.arguments[argument];
                        self.instance(tokens, terms, sorts, one, term, &mut closing)?;
                    }
                }
            }
        }
        closing.closure.constants.sort_unstable();
        Ok(closing.closure)
    }

    /// Says what the array that the application at `store` gives has at `j`, read by `select`.
    fn stored(
        &mut self,
        tokens: &Tokens<'_>,
        terms: &mut Terms,
        sorts: &SortNames,
        (select, store): (FunctionId, usize),
        j: TermId,
        closing: &mut Closing,
    ) {
        let Application { arguments, constant, at, .. } = self.applications[store].clone();
        let (before, i, element) = (arguments[0], arguments[1], arguments[2]);
        let after = terms.var(constant);
        let [index, result] = [self.get(select).parameters[1], self.get(select).result];
        let now = self.apply(tokens, terms, sorts, select, &[after, j], at).term;
        if i == j {
            let is_it = self.equation(terms, sorts, result, now, element);
            return closing.say(is_it, at);
        }
        let was = self.apply(tokens, terms, sorts, select, &[before, j], at).term;
        let unchanged = self.equation(terms, sorts, result, now, was);
        if differ(terms, i, j) {
            return closing.say(unchanged, at);
        }
        let (here, is_it) =
            (self.equation(terms, sorts, index, i, j), self.equation(terms, sorts, result, now, element));
        let mut numbers = Numbers::new(terms);
        let changed = numbers.app(CoreOp::Implies, &[here, is_it]);
        let unchanged = numbers.app(CoreOp::Or, &[here, unchanged]);
        closing.say(changed, at);
        closing.say(unchanged, at);
    }

    /// The function that gives what `strip` takes away.
    fn taken(&mut self, strip: FunctionId) -> FunctionId {
        if let Some(&known) = self.derived.get(&strip) {
            return known;
        }
        let function = Function { kind: Kind::Derived, ..self.get(strip).clone() };
        let id = self.declare(function);
        self.derived.insert(strip, id);
        id
    }

    /// Adds what `quantified` says of `argument`, once.
    fn instance(
        &mut self,
        tokens: &Tokens<'_>,
        terms: &mut Terms,
        sorts: &SortNames,
        quantified: &Quantified,
        argument: TermId,
        closing: &mut Closing,
    ) -> Result<(), ReadError> {
        let definition = Rc::clone(&quantified.definition);
        let instance = self.instantiate(tokens, terms, sorts, &definition, &[argument]);
        let instance = instance.map_err(|e| tokens.unsupported(quantified.at, e))?.term;
        closing.say(instance, quantified.at);
        Ok(())
    }

    /// That two arrays which are not equal differ at a place: what holds of all places may be against it.
    fn difference(
        &mut self,
        tokens: &Tokens<'_>,
        terms: &mut Terms,
        sorts: &SortNames,
        equation: TermId,
        (a, b, select): (TermId, TermId, FunctionId),
        at: usize,
    ) -> (TermId, usize) {
        let result = self.get(select).parameters[1];
        let kind = Kind::Declared;
        let parameters = vec![self.get(select).parameters[0]; 2];
        let name = "difference".to_owned();
        let place = match self.derived.get(&select) {
            Some(&known) => known,
            None => {
                let new = self.declare(Function { name, parameters, result, kind });
                self.derived.insert(select, new);
                new
            }
        };
        let place = self.apply(tokens, terms, sorts, place, &[a, b], at).term;
        let [a, b] = [a, b].map(|array| self.apply(tokens, terms, sorts, select, &[array, place], at).term);
        let same = self.equation(terms, sorts, self.get(select).result, a, b);
        let mut numbers = Numbers::new(terms);
        let differs = numbers.not(same);
        (numbers.app(CoreOp::Or, &[equation, differs]), at)
    }

    /// That two applications of one function to equal arguments are equal; `None` where the arguments differ
    /// whatever the variables are.
    fn congruence(
        &mut self,
        terms: &mut Terms,
        sorts: &SortNames,
        one: usize,
        other: usize,
    ) -> Option<TermId> {
        let (one, other) = (self.applications[one].clone(), self.applications[other].clone());
        let Function { parameters, result, .. } = self.get(one.function).clone();
        let pairs: Vec<(ScriptSort, TermId, TermId)> = parameters
            .into_iter()
            .zip(one.arguments.iter().zip(&other.arguments))
            .filter(|(_, (a, b))| a != b)
            .map(|(sort, (&a, &b))| (sort, a, b))
            .collect();
        if pairs.iter().any(|&(_, a, b)| differ(terms, a, b)) {
            return None;
        }
        let (a, b) = (terms.var(one.constant), terms.var(other.constant));
        // Arrays that are read need no place where they differ: what is read there may differ or not.
        let reads = self.get(one.function).kind == Kind::Select && self.stores.contains_key(&one.function);
        let whole = self.get(one.function).parameters[0];
        let equal: Vec<TermId> = pairs
            .into_iter()
            .map(|(sort, a, b)| match reads && sort == whole {
                true => Numbers::new(terms).equal(a, b),
                false => self.equation(terms, sorts, sort, a, b),
            })
            .collect();
        let result = self.equation(terms, sorts, result, a, b);
        let mut numbers = Numbers::new(terms);
        Some(match equal.as_slice() {
            [] => result,
            [one] => numbers.app(CoreOp::Implies, &[*one, result]),
            all => {
                let all = numbers.app(CoreOp::And, all);
                numbers.app(CoreOp::Implies, &[all, result])
            }
        })
    }

    /// Where the parameter of `definition` stands as an argument of applications; `None` if it stands
    /// anywhere else, too: then there is no finite set of values that matter.
    pub fn places(&self, terms: &Terms, definition: &Macro) -> Option<Vec<(FunctionId, usize)>> {
        let [parameter] = definition.parameters.as_slice() else { return None };
        let mut above: FxHashSet<TermId> = FxHashSet::default();
        let mut places = Vec::new();
        for &id in &definition.cone {
            if matches!(terms.get(id), Term::Var(variable) if variable == parameter) {
                above.insert(id);
                continue;
            }
            let is_parameter =
                |a: &TermId| matches!(terms.get(*a), Term::Var(variable) if variable == parameter);
            if terms.arguments(id).iter().any(is_parameter) {
                return None;
            }
            if let Some(application) = self.application(terms, id) {
                let free = matches!(self.get(application.function).kind, Kind::Declared | Kind::Select);
                for (number, argument) in application.arguments.iter().enumerate() {
                    match is_parameter(argument) {
                        // What decides the result decides it at every place.
                        true if !free => return None,
                        true => places.push((application.function, number)),
                        false if above.contains(argument) => return None,
                        false => {}
                    }
                }
                if application.arguments.iter().any(|a| above.contains(a)) {
                    above.insert(id);
                }
            } else if terms.arguments(id).iter().any(|a| above.contains(a)) {
                above.insert(id);
            }
        }
        places.sort_unstable_by_key(|&(function, number)| (function.0, number));
        places.dedup();
        Some(places)
    }
}

/// Whether the two terms, which are not the same, have different values whatever the variables are.
fn differ(terms: &Terms, a: TermId, b: TermId) -> bool {
    match (literal(terms, a), literal(terms, b)) {
        (Some(a), Some(b)) => a != b,
        (Some(_), None) | (None, Some(_)) => false,
        (None, None) => {
            let constant = |id| matches!(terms.get(id), Term::Bool(_) | Term::String(_));
            constant(a) && constant(b)
        }
    }
}
