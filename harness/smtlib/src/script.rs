//! Commands, scopes, queries: what a script asks.
//!
//! A script is read as a whole and becomes a list of [`Query`]s, one for each `check-sat` or
//! `check-sat-assuming`, each with everything that is asserted at that point. A script with any error gives
//! no query at all: an answer to a part of an illegal script would be an answer to another question.

use std::rc::Rc;
use std::sync::Arc;

use harness_model::{Alphabet, Verdict};
use harness_theory::sort::Sort;
use harness_theory::term::{TermId, Terms, VarId};
use harness_theory::{Origins, Problem, Query, Script, ScriptDialect, ValueSort};
use rustc_hash::FxHashMap;

use crate::dialect;
use crate::functions::{Function, Kind as FunctionKind, Macro, Quantified, Typed};
use crate::lex::{Kind, Tokens};
use crate::recursion::{self, Recursion};
use crate::sorts::{ScriptSort, SortNames};
use crate::terms::{Meaning, Scope, TermReader};
use crate::{ErrorKind, ReadError, languages, names};

/// So many levels may be open at once: a script of a few bytes can ask for billions.
const MAX_LEVELS: u64 = 1_000_000;

/// Undone by `pop`.
#[derive(Default)]
struct Level {
    bound: Vec<String>,
    sorts: Vec<String>,
    variables: usize,
    assertions: usize,
    quantified: usize,
}

/// A parameter of a definition.
struct Parameter {
    name: String,
    variable: VarId,
    sort: ScriptSort,
}

struct Reader<'a> {
    tokens: Tokens<'a>,
    dialect: ScriptDialect,
    alphabet: Alphabet,
    terms: Terms,
    scope: Scope,
    levels: Vec<Level>,
    variables: Vec<VarId>,
    /// Those of sorts that problems do not have.
    foreign: Vec<(VarId, ValueSort)>,
    assertions: Vec<TermId>,
    /// Of each assertion, in bytes.
    offsets: Vec<usize>,
    /// Assertions that speak of everything.
    quantified: Vec<Quantified>,
    status: Option<Verdict>,
    logic: Option<String>,
    /// Queries before their terms are shared.
    queries: Vec<Query>,
    placeholder: Arc<Terms>,
}

/// Reads a script in the alphabet `unicode`. Cost: linear in the text, and in the size of expanded macros.
pub fn read(text: &[u8]) -> Result<Script, ReadError> {
    read_in(text, Alphabet::Unicode)
}

/// Reads a script whose strings are over `alphabet`. A literal with a character that the alphabet does not
/// have is unsupported; in `utf16` one above U+FFFF is read as its two surrogates, as in Java.
pub fn read_in(text: &[u8], alphabet: Alphabet) -> Result<Script, ReadError> {
    // A literal of an old script may hold `\"`, which ends it in a current one: read again when the dialect
    // is known.
    let tokens = Tokens::read(text, false);
    let (tokens, dialect) = match tokens {
        Ok(tokens) => match dialect::of(&tokens) {
            ScriptDialect::Current => (tokens, ScriptDialect::Current),
            ScriptDialect::Old => (Tokens::read(text, true)?, ScriptDialect::Old),
        },
        Err(error) => match Tokens::read(text, true) {
            Ok(tokens) if dialect::of(&tokens) == ScriptDialect::Old => (tokens, ScriptDialect::Old),
            _ => return Err(error),
        },
    };
    let mut reader = Reader {
        tokens,
        dialect,
        alphabet,
        terms: Terms::new(),
        scope: Scope::default(),
        levels: vec![Level::default()],
        variables: Vec::new(),
        foreign: Vec::new(),
        assertions: Vec::new(),
        offsets: Vec::new(),
        quantified: Vec::new(),
        status: None,
        logic: None,
        queries: Vec::new(),
        placeholder: Arc::default(),
    };
    let mut at = 0;
    while at < reader.tokens.len() {
        if !reader.command(at)? {
            break;
        }
        at = reader.tokens.after(at);
    }
    let terms = Arc::new(reader.terms);
    for query in &mut reader.queries {
        query.problem.terms = Arc::clone(&terms);
    }
    Ok(Script { queries: reader.queries, logic: reader.logic, dialect })
}

impl Reader<'_> {
    /// Carries out the command at `at`; `false` after `exit`.
    fn command(&mut self, at: usize) -> Result<bool, ReadError> {
        let name_at = at + 1;
        if self.tokens.kind(at) != Kind::Open || self.tokens.kind(name_at) != Kind::Symbol {
            return Err(self.tokens.error(at, "a command must stand here, in parentheses"));
        }
        let arguments: Vec<usize> = self.tokens.elements(at).skip(1).collect();
        let name = self.tokens.text(name_at)?;
        let count = |wanted: std::ops::RangeInclusive<usize>| {
            if wanted.contains(&arguments.len()) {
                return Ok(());
            }
            let (least, most) = (*wanted.start(), *wanted.end());
            let several = if least == most { most.to_string() } else { format!("{least} or {most}") };
            let plural = if most == 1 { "" } else { "s" };
            let found = arguments.len();
            Err(self.tokens.error(at, format!("'{name}' takes {several} argument{plural}, found {found}")))
        };
        match name {
            "assert" => {
                count(1..=1)?;
                let (term, quantified) = self.term(arguments[0], true)?;
                let term = self.boolean(arguments[0], term)?;
                self.quantified.extend(quantified);
                self.assertions.push(term);
                self.offsets.push(self.tokens.offset(arguments[0]));
            }
            // The second is how old collections of scripts have it.
            "declare-const" | "declare-variable" => {
                count(2..=2)?;
                self.declare(arguments[0], arguments[1])?;
            }
            "declare-fun" => {
                count(3..=3)?;
                self.declare_function([arguments[0], arguments[1], arguments[2]])?;
            }
            "define-const" => {
                count(3..=3)?;
                self.define(arguments[0], None, arguments[1], arguments[2])?;
            }
            "define-fun" => {
                count(4..=4)?;
                self.define(arguments[0], Some(arguments[1]), arguments[2], arguments[3])?;
            }
            "push" | "pop" => {
                count(0..=1)?;
                let levels = arguments.first().map_or(Ok(1), |&n| self.numeral(n))?;
                if name == "push" {
                    if u64::from(levels) + self.levels.len() as u64 > MAX_LEVELS + 1 {
                        let message = format!("more than {MAX_LEVELS} levels at once are not supported");
                        return Err(self.tokens.unsupported(at, message));
                    }
                    for _ in 0..levels {
                        self.levels.push(Level {
                            variables: self.variables.len(),
                            assertions: self.assertions.len(),
                            quantified: self.quantified.len(),
                            ..Level::default()
                        });
                    }
                } else {
                    for _ in 0..levels {
                        self.pop(at)?;
                    }
                }
            }
            "check-sat" => {
                count(0..=0)?;
                self.query(at, &[], &[])?;
            }
            "check-sat-assuming" => {
                count(1..=1)?;
                let literals: Vec<usize> = self.tokens.elements(arguments[0]).collect();
                let mut assumptions = Vec::new();
                let mut offsets = Vec::new();
                for &literal in &literals {
                    let (term, _) = self.term(literal, false)?;
                    let term = self.boolean(literal, term)?;
                    assumptions.push(term);
                    offsets.push(self.tokens.offset(literal));
                }
                self.query(at, &assumptions, &offsets)?;
            }
            "get-model" => {
                count(0..=0)?;
                if let Some(query) = self.queries.last_mut() {
                    query.get_model = true;
                }
            }
            "get-value" => {
                count(1..=1)?;
                let asked: Vec<usize> = self.tokens.elements(arguments[0]).collect();
                for term_at in asked {
                    let (Typed { term, .. }, _) = self.term(term_at, false)?;
                    let text = self.source(term_at);
                    // A function has no value where no assertion asked for one.
                    if let Some(query) = self.queries.last_mut()
                        && self.scope.functions.are_among(&self.terms, &[term], &query.problem.variables)
                    {
                        query.get_value.push((text, term));
                    }
                }
            }
            "set-info" => {
                if arguments.first().is_some_and(|&k| self.tokens.bytes(k) == b":status") {
                    count(2..=2)?;
                    self.status = match self.tokens.bytes(arguments[1]) {
                        b"sat" => Some(Verdict::Sat),
                        b"unsat" => Some(Verdict::Unsat),
                        b"unknown" => None,
                        _ => {
                            return Err(self.tokens.error(arguments[1], "a status is sat, unsat or unknown"));
                        }
                    };
                }
            }
            "set-logic" => {
                count(1..=1)?;
                self.logic = Some(self.tokens.text(arguments[0])?.to_owned());
            }
            "reset" => {
                count(0..=0)?;
                (self.levels, self.scope) = (vec![Level::default()], Scope::default());
                self.variables.clear();
                self.foreign.clear();
                self.assertions.clear();
                self.offsets.clear();
                self.quantified.clear();
                (self.status, self.logic) = (None, None);
            }
            "reset-assertions" => {
                count(0..=0)?;
                while self.levels.len() > 1 {
                    self.pop(at)?;
                }
                self.assertions.clear();
                self.offsets.clear();
                self.quantified.clear();
            }
            "exit" => return Ok(false),
            "set-option"
            | "get-info"
            | "get-option"
            | "echo"
            | "get-assertions"
            | "get-assignment"
            | "get-proof"
            | "get-unsat-core"
            | "get-unsat-assumptions" => {}
            "define-sort" => {
                count(3..=3)?;
                let [name_at, list, body] = [arguments[0], arguments[1], arguments[2]];
                let name = self.scope.sorts.define(&self.tokens, [name_at, list, body])?;
                self.bind_sort(name);
            }
            "declare-sort" => {
                count(1..=2)?;
                let parameters = arguments.get(1).map_or(Ok(0), |&n| self.numeral(n))?;
                let name = self.scope.sorts.declare(&self.tokens, arguments[0], parameters)?;
                self.bind_sort(name);
            }
            "define-fun-rec" => {
                count(4..=4)?;
                self.define_recursive([arguments[0], arguments[1], arguments[2], arguments[3]])?;
            }
            "declare-datatype" | "declare-datatypes" | "define-funs-rec" | "declare-sort-parameter" => {
                return Err(self.tokens.unsupported(name_at, format!("'{name}' is not supported")));
            }
            _ => return Err(self.tokens.error(name_at, format!("'{name}' is not a command"))),
        }
        Ok(true)
    }

    /// The text of a term as it stands, white space and comments between its tokens become one blank.
    fn source(&self, at: usize) -> String {
        let mut out = String::new();
        for i in at..self.tokens.after(at) {
            let text = String::from_utf8_lossy(self.tokens.bytes(i));
            let tight = out.is_empty() || out.ends_with('(') || self.tokens.kind(i) == Kind::Close;
            if !tight {
                out.push(' ');
            }
            match self.tokens.kind(i) {
                Kind::String => out.push_str(&format!("\"{text}\"")),
                Kind::Symbol => out.push_str(&crate::print::symbol(&text)),
                _ => out.push_str(&text),
            }
        }
        out
    }

    fn numeral(&self, at: usize) -> Result<u32, ReadError> {
        let value = (self.tokens.kind(at) == Kind::Numeral).then(|| self.tokens.text(at)).transpose()?;
        value
            .and_then(|v| v.parse().ok())
            .ok_or_else(|| self.tokens.error(at, "a small numeral must stand here"))
    }

    /// Reads a term; names given in it with `:named` stay in scope. What an assertion says of everything
    /// stands beside it.
    fn term(&mut self, at: usize, asserting: bool) -> Result<(Typed, Option<Quantified>), ReadError> {
        let mut reader = TermReader {
            tokens: &self.tokens,
            strings: dialect::strings(self.dialect),
            alphabet: self.alphabet,
            terms: &mut self.terms,
            scope: &mut self.scope,
            named: Vec::new(),
            asserting,
            quantified: None,
            existential: false,
        };
        let term = reader.term(at)?;
        let (named, quantified) = (reader.named, reader.quantified);
        if let Some(level) = self.levels.last_mut() {
            level.bound.extend(named.into_iter().map(|(name, _)| name));
        }
        Ok((term, quantified))
    }

    fn boolean(&self, at: usize, term: Typed) -> Result<TermId, ReadError> {
        if term.sort == ScriptSort::Plain(Sort::Bool) {
            return Ok(term.term);
        }
        let found = self.scope.sorts.name(term.sort);
        Err(self.tokens.error(at, format!("a term of sort Bool must stand here, not {found}")))
    }

    fn sort(&mut self, at: usize) -> Result<ScriptSort, ReadError> {
        self.scope.sorts.sort(&self.tokens, at)
    }

    /// A name that may be given a meaning here.
    fn new_name(&self, at: usize) -> Result<String, ReadError> {
        if self.tokens.kind(at) != Kind::Symbol {
            return Err(self.tokens.error(at, "a name must stand here"));
        }
        let name = self.tokens.text(at)?;
        let reserved = ["true", "false", "let", "!", "_", "as", "forall", "exists", "match", "par"];
        // Old names are free in a current script.
        let theory = names::spelled(name).is_some_and(|s| !s.old || self.dialect == ScriptDialect::Old);
        if theory || reserved.contains(&name) {
            return Err(self
                .tokens
                .error(at, format!("'{name}' is a name of the theory and may not be declared")));
        }
        if self.scope.get(name).is_some() {
            return Err(self.tokens.error(at, format!("'{name}' is declared already")));
        }
        Ok(name.to_owned())
    }

    fn bind(&mut self, name: String, meaning: Meaning) {
        self.scope.bind(&name, meaning);
        if let Some(level) = self.levels.last_mut() {
            level.bound.push(name);
        }
    }

    fn bind_sort(&mut self, name: String) {
        if let Some(level) = self.levels.last_mut() {
            level.sorts.push(name);
        }
    }

    fn declare(&mut self, name_at: usize, sort_at: usize) -> Result<(), ReadError> {
        let (name, sort) = (self.new_name(name_at)?, self.sort(sort_at)?);
        let variable = self.terms.variable(name.as_str(), SortNames::in_problem(sort));
        let Scope { sorts, functions, .. } = &mut self.scope;
        functions.bound(sorts, variable, sort, name_at);
        let term = self.terms.var(variable);
        self.variables.push(variable);
        if let ScriptSort::Foreign(_) = sort {
            self.foreign.push((variable, sorts.of_values(sort)));
        }
        self.bind(name, Meaning::Term(Typed { term, sort }));
        Ok(())
    }

    /// `(declare-fun NAME (SORTS) SORT)`
    fn declare_function(&mut self, [name_at, list, sort_at]: [usize; 3]) -> Result<(), ReadError> {
        if self.tokens.kind(list) != Kind::Open {
            let message = "the sorts of the parameters must stand here, in parentheses";
            return Err(self.tokens.error(list, message));
        }
        let parts: Vec<usize> = self.tokens.elements(list).collect();
        if parts.is_empty() {
            return self.declare(name_at, sort_at);
        }
        let name = self.new_name(name_at)?;
        let parameters = parts.iter().map(|&part| self.sort(part)).collect::<Result<Vec<_>, _>>()?;
        let result = self.sort(sort_at)?;
        let language = ScriptSort::Plain(Sort::RegLan);
        let places = parts.iter().copied().zip(parameters.iter().copied()).chain([(sort_at, result)]);
        if let Some((at, _)) = places.into_iter().find(|&(_, sort)| sort == language) {
            let message = "a function of languages without a definition is not supported";
            return Err(self.tokens.unsupported(at, message));
        }
        let kind = FunctionKind::Declared;
        let function = Function { name: name.clone(), parameters, result, kind };
        let function = self.scope.functions.declare(function);
        self.bind(name, Meaning::Function(function));
        Ok(())
    }

    /// `((NAME SORT) …)`
    fn parameters(&mut self, list: usize) -> Result<Vec<Parameter>, ReadError> {
        if self.tokens.kind(list) != Kind::Open {
            return Err(self.tokens.error(list, "the parameters must stand here, in parentheses"));
        }
        let mut parameters: Vec<Parameter> = Vec::new();
        let all: Vec<usize> = self.tokens.elements(list).collect();
        for parameter in all {
            let parts: Vec<usize> = self.tokens.elements(parameter).collect();
            let [name_at, sort_at] = parts.as_slice() else {
                return Err(self.tokens.error(parameter, "a parameter is a name and a sort, in parentheses"));
            };
            let name = self.tokens.text(*name_at)?.to_owned();
            if parameters.iter().any(|known| known.name == name) {
                return Err(self.tokens.error(*name_at, format!("two parameters are called '{name}'")));
            }
            let sort = self.sort(*sort_at)?;
            let variable = self.terms.variable(name.as_str(), SortNames::in_problem(sort));
            parameters.push(Parameter { name, variable, sort });
        }
        Ok(parameters)
    }

    /// Reads the body of a definition of `sort`.
    fn body(
        &mut self,
        name: &str,
        parameters: &[Parameter],
        sort: ScriptSort,
        at: usize,
    ) -> Result<Typed, ReadError> {
        for parameter in parameters {
            let typed = Typed { term: self.terms.var(parameter.variable), sort: parameter.sort };
            self.scope.bind(&parameter.name, Meaning::Term(typed));
            self.scope.bound.push(parameter.variable);
        }
        let body = self.term(at, false);
        parameters.iter().for_each(|parameter| self.scope.unbind(&parameter.name));
        self.scope.bound.clear();
        let (body, _) = body?;
        if body.sort != sort {
            let [wanted, found] = [sort, body.sort].map(|sort| self.scope.sorts.name(sort));
            let message = format!("the body of '{name}' must be of sort {wanted}, not {found}");
            return Err(self.tokens.error(at, message));
        }
        Ok(body)
    }

    fn defined(&self, parameters: &[Parameter], body: Typed) -> Meaning {
        if parameters.is_empty() {
            return Meaning::Term(body);
        }
        let cone = self.scope.functions.cone(&self.terms, &[body.term]);
        let (parameters, sorts) = parameters.iter().map(|p| (p.variable, p.sort)).unzip();
        Meaning::Macro(Rc::new(Macro { parameters, sorts, body, cone }))
    }

    fn define(
        &mut self,
        name_at: usize,
        parameters: Option<usize>,
        sort_at: usize,
        body_at: usize,
    ) -> Result<(), ReadError> {
        let (name, sort) = (self.new_name(name_at)?, self.sort(sort_at)?);
        let parameters = parameters.map_or(Ok(Vec::new()), |list| self.parameters(list))?;
        let body = self.body(&name, &parameters, sort, body_at)?;
        let meaning = self.defined(&parameters, body);
        self.bind(name, meaning);
        Ok(())
    }

    /// `(define-fun-rec NAME (PARAMETERS) SORT BODY)`: what is recursive has a meaning if it has one of the
    /// shapes of [`recursion`]; otherwise it is refused where its result matters.
    fn define_recursive(&mut self, [name_at, list, sort_at, body_at]: [usize; 4]) -> Result<(), ReadError> {
        let (name, sort) = (self.new_name(name_at)?, self.sort(sort_at)?);
        let parameters = self.parameters(list)?;
        let message = format!(
            "the recursive function '{name}' is not supported: it neither strips characters from one end of \
             a string nor maps each character"
        );
        let function = self.scope.functions.declare(Function {
            name: name.clone(),
            parameters: parameters.iter().map(|parameter| parameter.sort).collect(),
            result: sort,
            kind: FunctionKind::Missing(message),
        });
        if parameters.is_empty() {
            return Err(self.tokens.error(list, "a recursive function has parameters"));
        }
        self.bind(name.clone(), Meaning::Function(function));
        let body = match self.body(&name, &parameters, sort, body_at) {
            Ok(body) => body,
            Err(error) if error.kind == ErrorKind::Unsupported => return Ok(()),
            Err(error) => return Err(error),
        };
        let cone = self.scope.functions.cone(&self.terms, &[body.term]);
        let calls = self.scope.functions.calls(&self.terms, &cone, function);
        if calls.is_empty() {
            let meaning = self.defined(&parameters, body);
            self.scope.unbind(&name);
            self.scope.bind(&name, meaning);
            return Ok(());
        }
        let string = ScriptSort::Plain(Sort::String);
        let ([Parameter { variable, sort: of, .. }], true) = (parameters.as_slice(), sort == string) else {
            return Ok(());
        };
        if *of != string {
            return Ok(());
        }
        let parameter = self.terms.var(*variable);
        let calls = calls.into_iter().map(|(call, arguments)| (call, arguments[0])).collect();
        let alphabet = self.alphabet;
        let mut shape = recursion::Body {
            terms: &mut self.terms,
            parameter,
            calls,
            alphabet,
            known: FxHashMap::default(),
        };
        match shape.shape(body.term) {
            Some(Recursion::StripFront(class)) => {
                self.scope.functions.set_kind(function, FunctionKind::Strip { class, front: true });
            }
            Some(Recursion::StripBack(class)) => {
                self.scope.functions.set_kind(function, FunctionKind::Strip { class, front: false });
            }
            Some(Recursion::Map(low, high, by)) => {
                if let Some(term) = recursion::mapped(&mut self.terms, parameter, low, high, by) {
                    let meaning = self.defined(&parameters, Typed { term, sort });
                    self.scope.unbind(&name);
                    self.scope.bind(&name, meaning);
                }
            }
            None => {}
        }
        Ok(())
    }

    fn pop(&mut self, at: usize) -> Result<(), ReadError> {
        if self.levels.len() < 2 {
            return Err(self.tokens.error(at, "'pop' without a 'push' before it"));
        }
        if let Some(level) = self.levels.pop() {
            level.bound.iter().for_each(|name| self.scope.unbind(name));
            level.sorts.iter().for_each(|name| self.scope.sorts.forget(name));
            self.variables.truncate(level.variables);
            self.assertions.truncate(level.assertions);
            self.offsets.truncate(level.assertions);
            self.quantified.truncate(level.quantified);
        }
        Ok(())
    }

    /// A query with `assumptions`, which stand at `offsets`.
    fn query(&mut self, at: usize, assumptions: &[TermId], offsets: &[usize]) -> Result<(), ReadError> {
        let mut assertions = self.assertions.clone();
        assertions.extend_from_slice(assumptions);
        let mut offsets = [self.offsets.as_slice(), offsets].concat();
        let mut variables = self.variables.clone();
        let Scope { sorts, functions, .. } = &mut self.scope;
        let closure = functions.close(&self.tokens, &mut self.terms, sorts, &assertions, &self.quantified)?;
        for (assertion, at) in closure.assertions {
            assertions.push(assertion);
            offsets.push(self.tokens.offset(at));
        }
        let fresh = |stem: &str| functions.fresh_name(&self.tokens, stem);
        let settled = languages::settle(&mut self.terms, &assertions, fresh);
        let origins = Origins {
            declared: variables.len(),
            sorts: self.foreign.clone(),
            applications: functions.origins(sorts, &closure.constants),
        };
        variables.extend(closure.constants);
        if let Some(settled) = settled {
            assertions = settled.assertions;
            variables.extend(settled.variables);
            for (assertion, because) in settled.more {
                assertions.push(assertion);
                offsets.push(offsets[because]);
            }
        }
        let problem = Problem { terms: Arc::clone(&self.placeholder), variables, assertions };
        self.queries.push(Query {
            problem,
            status: self.status.take(),
            position: self.tokens.position(at),
            assertion_offsets: offsets,
            get_model: false,
            get_value: Vec::new(),
            origins,
        });
        Ok(())
    }
}
