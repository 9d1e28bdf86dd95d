//! Applications whose arguments are read: of the theories, of definitions, of functions that a script
//! declares.

use harness_model::Alphabet;
use harness_theory::Sort;
use harness_theory::op::{ArithOp, CoreOp, Op, ReOp, Shape, StrOp};
use harness_theory::term::{Term, TermId, Terms};

use super::{Head, Scope, TermReader};
use crate::ReadError;
use crate::functions::{FunctionId, Macro, Typed};
use crate::names::Spelling;
use crate::sorts::{Foreign, ScriptSort};

impl TermReader<'_, '_> {
    pub(super) fn finish(
        &mut self,
        head: Head,
        at: usize,
        mut arguments: Vec<Typed>,
    ) -> Result<Typed, ReadError> {
        if arguments.is_empty() {
            // No conjunct, no disjunct: not of the standard, but what tools print of empty lists.
            if let Head::Op(Spelling { op: Op::Core(op @ (CoreOp::And | CoreOp::Or)), .. }) = head {
                return Ok(Typed { term: self.terms.bool(op == CoreOp::And), sort: Sort::Bool.into() });
            }
            return Err(self
                .tokens
                .error(at, "an application needs arguments; a constant stands without parentheses"));
        }
        match head {
            Head::Op(spelling) => self.apply(spelling, at, arguments),
            Head::Macro(definition) => self.instantiate(&definition, at, &arguments),
            Head::Function(function) => self.apply_function(function, at, &arguments),
            Head::Foreign(name, indices) => self.place(at).apply(&name, &indices, &arguments),
            Head::OldLoop => {
                let counts: Vec<Option<u32>> = arguments[1..]
                    .iter()
                    .map(|a| match self.terms.get(a.term) {
                        Term::Int(i) => i.small().and_then(|v| u32::try_from(v).ok()),
                        Term::Var(_) | Term::Bool(_) | Term::String(_) | Term::App(..) => None,
                    })
                    .collect();
                let (Some(&inner), [Some(low), rest @ ..]) = (arguments.first(), counts.as_slice()) else {
                    return Err(self
                        .tokens
                        .error(at, "'re.loop' takes its two counts as indices: ((_ re.loop 1 3) r)"));
                };
                arguments.truncate(1);
                match rest {
                    [Some(high)] => self.apply_plain(Op::Re(ReOp::Loop(*low, *high)), at, &[inner]),
                    [] => {
                        let least = self.apply_plain(Op::Re(ReOp::Power(*low)), at, &[inner])?;
                        let more = self.apply_plain(Op::Re(ReOp::Star), at, &[inner])?;
                        self.apply_plain(Op::Re(ReOp::Concat), at, &[least, more])
                    }
                    _ => Err(self
                        .tokens
                        .error(at, "'re.loop' takes its two counts as indices: ((_ re.loop 1 3) r)")),
                }
            }
        }
    }

    #[allow(clippy::wildcard_enum_match_arm, reason = "every other application is as the standard has it")]
    pub(super) fn apply(
        &mut self,
        spelling: Spelling,
        at: usize,
        mut arguments: Vec<Typed>,
    ) -> Result<Typed, ReadError> {
        let mut op = spelling.op;
        if spelling.swapped {
            arguments.reverse();
        }
        match (op, arguments.len()) {
            (Op::Arith(ArithOp::Sub), 1) => op = Op::Arith(ArithOp::Neg),
            (Op::Re(ReOp::Range), _) => self.refuse_pairs(at, &arguments)?,
            // Before 2.6 the start could be left out.
            (Op::Str(StrOp::IndexOf), 2) => {
                arguments.push(Typed { term: self.terms.int(0_i64), sort: Sort::Int.into() });
            }
            // One conjunct, one operand: not of the standard, but what many tools print.
            (_, 1)
                if matches!(op.shape(), Shape::Many(_))
                    && op != Op::Core(CoreOp::Implies)
                    && !op.is_java() =>
            {
                let Shape::Many(wanted) = op.shape() else { return Ok(arguments[0]) };
                let found = arguments[0].sort;
                if found == ScriptSort::Plain(wanted) {
                    return Ok(arguments[0]);
                }
                let found = self.scope.sorts.name(found);
                return Err(self.tokens.error(
                    at,
                    format!("argument 1 of '{}' must be of sort {wanted}, not {found}", op.name()),
                ));
            }
            _ => {}
        }
        self.apply_plain(op, at, &arguments)
    }

    /// Refuses a range that ends at a character of two units: by the theory it would be empty.
    pub(super) fn refuse_pairs(&self, at: usize, bounds: &[Typed]) -> Result<(), ReadError> {
        for bound in bounds {
            if let Term::String(word) = self.terms.get(bound.term)
                && let Some(pair) = word.surrogate_pair()
                && self.alphabet == Alphabet::Utf16
            {
                let message = format!(
                    "a range ends at one character, and U+{:04X} is two in the alphabet utf16; choose unicode",
                    pair.0
                );
                return Err(self.tokens.unsupported(at, message));
            }
        }
        Ok(())
    }

    pub(super) fn apply_plain(&mut self, op: Op, at: usize, arguments: &[Typed]) -> Result<Typed, ReadError> {
        let foreign = |argument: &Typed| matches!(argument.sort, ScriptSort::Foreign(_));
        if arguments.iter().any(foreign) {
            return self.apply_any(op, at, arguments);
        }
        let arguments: Vec<TermId> = arguments.iter().map(|argument| argument.term).collect();
        let term = self.terms.app(op, &arguments).map_err(|e| self.tokens.error(at, e.to_string()))?;
        Ok(Typed { term, sort: self.terms.sort(term).into() })
    }

    /// `=`, `distinct` or `ite` over a sort that only scripts have; no other function takes one.
    #[allow(clippy::wildcard_enum_match_arm, reason = "these three take any sort")]
    pub(super) fn apply_any(&mut self, op: Op, at: usize, arguments: &[Typed]) -> Result<Typed, ReadError> {
        let bool = ScriptSort::Plain(Sort::Bool);
        let name = |sort| self.scope.sorts.name(sort);
        let wrong = |number: usize, wanted: ScriptSort| {
            let (wanted, found) = (name(wanted), name(arguments[number].sort));
            let message =
                format!("argument {} of '{}' must be of sort {wanted}, not {found}", number + 1, op.name());
            Err(self.tokens.error(at, message))
        };
        let first = match (op, arguments.len()) {
            (Op::Core(CoreOp::Eq | CoreOp::Distinct), 2..) => 0,
            (Op::Core(CoreOp::Ite), 3) if arguments[0].sort == bool => 1,
            (Op::Core(CoreOp::Ite), 3) => return wrong(0, bool),
            _ => {
                let number = arguments.iter().position(|a| matches!(a.sort, ScriptSort::Foreign(_)));
                let (number, found) = number.map_or((0, bool), |number| (number, arguments[number].sort));
                let message =
                    format!("argument {} of '{}' must not be of sort {}", number + 1, op.name(), name(found));
                return Err(self.tokens.error(at, message));
            }
        };
        let sort = arguments[first].sort;
        if let Some(number) = (first..arguments.len()).find(|&number| arguments[number].sort != sort) {
            return wrong(number, sort);
        }
        let terms: Vec<TermId> = arguments.iter().map(|argument| argument.term).collect();
        let select = match sort {
            ScriptSort::Foreign(place) if first == 0 => match *self.scope.sorts.get(place) {
                Foreign::Array { index, element } => Some((place, index, element)),
                Foreign::Declared(..)
                | Foreign::BitVec(_)
                | Foreign::Float { .. }
                | Foreign::RoundingMode
                | Foreign::Hole(_) => None,
            },
            ScriptSort::Foreign(_) | ScriptSort::Plain(_) => None,
        };
        let result = if first == 0 { bool } else { sort };
        let app = |terms: &mut Terms, op: Op, arguments: &[TermId]| {
            terms.app(op, arguments).map_err(|e| self.tokens.error(at, e.to_string()))
        };
        let Some((array, index, element)) = select else {
            return Ok(Typed { term: app(self.terms, op, &terms)?, sort: result });
        };
        // One by one, for what is said of two arrays.
        let select = self.scope.functions.select(array, index, element);
        let mut parts = Vec::new();
        for (i, &a) in terms.iter().enumerate() {
            for (j, &b) in terms.iter().enumerate().skip(i + 1) {
                if op == Op::Core(CoreOp::Distinct) || j == i + 1 {
                    let equal = self.scope.functions.equal_arrays(self.terms, a, b, select);
                    parts.push(match op {
                        Op::Core(CoreOp::Distinct) => app(self.terms, CoreOp::Not.into(), &[equal])?,
                        _ => equal,
                    });
                }
            }
        }
        let term = match parts.as_slice() {
            [one] => *one,
            all => app(self.terms, CoreOp::And.into(), all)?,
        };
        Ok(Typed { term, sort: result })
    }

    /// A function that the script declares, applied.
    pub(super) fn apply_function(
        &mut self,
        function: FunctionId,
        at: usize,
        arguments: &[Typed],
    ) -> Result<Typed, ReadError> {
        let parameters = self.scope.functions.get(function).parameters.clone();
        self.suit(at, &parameters, arguments)?;
        let arguments: Vec<TermId> = arguments.iter().map(|argument| argument.term).collect();
        let Scope { sorts, functions, .. } = &mut *self.scope;
        Ok(functions.apply(self.tokens, self.terms, sorts, function, &arguments, at))
    }

    /// Whether the arguments of the application at `at` are of these sorts.
    pub(super) fn suit(
        &self,
        at: usize,
        parameters: &[ScriptSort],
        arguments: &[Typed],
    ) -> Result<(), ReadError> {
        let (wanted, found) = (parameters.len(), arguments.len());
        if wanted != found {
            let message = format!("this function takes {wanted} arguments, not {found}");
            return Err(self.tokens.error(at, message));
        }
        for (i, (&wanted, argument)) in parameters.iter().zip(arguments).enumerate() {
            if wanted != argument.sort {
                let [wanted, found] = [wanted, argument.sort].map(|sort| self.scope.sorts.name(sort));
                let message = format!("argument {} must be of sort {wanted}, not {found}", i + 1);
                return Err(self.tokens.error(at, message));
            }
        }
        Ok(())
    }

    pub(super) fn instantiate(
        &mut self,
        definition: &Macro,
        at: usize,
        arguments: &[Typed],
    ) -> Result<Typed, ReadError> {
        self.suit(at, &definition.sorts, arguments)?;
        let arguments: Vec<TermId> = arguments.iter().map(|argument| argument.term).collect();
        let Scope { sorts, functions, .. } = &mut *self.scope;
        let result = functions.instantiate(self.tokens, self.terms, sorts, definition, &arguments);
        result.map_err(|e| self.tokens.unsupported(at, e))
    }
}
