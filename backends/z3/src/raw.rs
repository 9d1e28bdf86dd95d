//! The functions of Z3's sequences and regular expressions that the `z3` crate does not wrap.
//!
//! Everything here takes and gives the crate's own [`Dynamic`], which counts references, and answers a Z3
//! error with its message. Terms of different contexts are refused before Z3 sees them.
#![expect(unsafe_code, reason = "calls of a C library; each block says why it is right")]

use std::ffi::{CStr, c_uint};

use z3::ast::{Ast, Dynamic};
use z3::{Context, Sort, Symbol};
use z3_sys as sys;
use z3_sys::{Z3_ast, Z3_context};

/// A function of the C API by the number of its arguments.
#[derive(Clone, Copy)]
pub(crate) enum Function {
    /// One.
    One(unsafe extern "C" fn(Z3_context, Z3_ast) -> Option<Z3_ast>),
    /// Two.
    Two(unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast) -> Option<Z3_ast>),
    /// Three.
    Three(unsafe extern "C" fn(Z3_context, Z3_ast, Z3_ast, Z3_ast) -> Option<Z3_ast>),
    /// Any number from one on.
    Many(unsafe extern "C" fn(Z3_context, c_uint, *const Z3_ast) -> Option<Z3_ast>),
}

/// The name of each function used, so that tables need not say `Function::One(sys::Z3_mk_...)`.
macro_rules! functions {
    ($($name:ident = $arity:ident($function:ident);)*) => {
        impl Function { $(pub(crate) const $name: Self = Self::$arity(sys::$function);)* }
    };
}

functions! {
    NOT = One(Z3_mk_not);
    AND = Many(Z3_mk_and);
    OR = Many(Z3_mk_or);
    XOR = Two(Z3_mk_xor);
    IMPLIES = Two(Z3_mk_implies);
    EQ = Two(Z3_mk_eq);
    DISTINCT = Many(Z3_mk_distinct);
    ITE = Three(Z3_mk_ite);
    NEG = One(Z3_mk_unary_minus);
    ADD = Many(Z3_mk_add);
    SUB = Many(Z3_mk_sub);
    MUL = Many(Z3_mk_mul);
    DIV = Two(Z3_mk_div);
    MOD = Two(Z3_mk_mod);
    LE = Two(Z3_mk_le);
    LT = Two(Z3_mk_lt);
    GE = Two(Z3_mk_ge);
    GT = Two(Z3_mk_gt);
    CONCAT = Many(Z3_mk_seq_concat);
    LEN = One(Z3_mk_seq_length);
    STR_LT = Two(Z3_mk_str_lt);
    STR_LE = Two(Z3_mk_str_le);
    AT = Two(Z3_mk_seq_at);
    SUBSTR = Three(Z3_mk_seq_extract);
    PREFIX_OF = Two(Z3_mk_seq_prefix);
    SUFFIX_OF = Two(Z3_mk_seq_suffix);
    CONTAINS = Two(Z3_mk_seq_contains);
    INDEX_OF = Three(Z3_mk_seq_index);
    REPLACE = Three(Z3_mk_seq_replace);
    REPLACE_ALL = Three(Z3_mk_seq_replace_all);
    REPLACE_RE = Three(Z3_mk_seq_replace_re);
    REPLACE_RE_ALL = Three(Z3_mk_seq_replace_re_all);
    TO_CODE = One(Z3_mk_string_to_code);
    FROM_CODE = One(Z3_mk_string_from_code);
    TO_INT = One(Z3_mk_str_to_int);
    FROM_INT = One(Z3_mk_int_to_str);
    IN_RE = Two(Z3_mk_seq_in_re);
    TO_RE = One(Z3_mk_seq_to_re);
    RE_CONCAT = Many(Z3_mk_re_concat);
    RE_UNION = Many(Z3_mk_re_union);
    RE_INTER = Many(Z3_mk_re_intersect);
    RE_STAR = One(Z3_mk_re_star);
    RE_COMP = One(Z3_mk_re_complement);
    RE_DIFF = Two(Z3_mk_re_diff);
    RE_PLUS = One(Z3_mk_re_plus);
    RE_OPT = One(Z3_mk_re_option);
    RE_RANGE = Two(Z3_mk_re_range);
}

/// What Z3 says when it refuses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal(pub(crate) String);

/// `made`, or the message of the error that stands in `context`.
fn made(context: &Context, made: Option<Z3_ast>) -> Result<Dynamic, Refusal> {
    match made {
        // SAFETY: Z3 just returned it in this context, and nothing was made there since that could have
        // collected it.
        Some(ast) => Ok(unsafe { Dynamic::wrap(context, ast) }),
        None => Err(refusal(context)),
    }
}

fn refusal(context: &Context) -> Refusal {
    let context = context.get_z3_context();
    // SAFETY: the context is alive; the text that Z3 returns is its own and is copied at once.
    let text = unsafe {
        let message = sys::Z3_get_error_msg(context, sys::Z3_get_error_code(context));
        (!message.is_null()).then(|| CStr::from_ptr(message).to_string_lossy().into_owned())
    };
    Refusal(text.unwrap_or_else(|| "no message".to_owned()))
}

/// `function` applied to `arguments`, which are of the current thread's context.
pub(crate) fn apply(function: Function, arguments: &[&Dynamic]) -> Result<Dynamic, Refusal> {
    let context = Context::thread_local();
    if arguments.iter().any(|a| a.get_ctx() != &context) {
        return Err(Refusal("a term of another context".to_owned()));
    }
    let raw = context.get_z3_context();
    let asts: Vec<Z3_ast> = arguments.iter().map(|a| a.get_z3_ast()).collect();
    // SAFETY: all terms are alive for they are borrowed, and of this context; wrong sorts are an error that
    // Z3 reports.
    let ast = unsafe {
        match (function, asts.as_slice()) {
            (Function::One(f), &[a]) => f(raw, a),
            (Function::Two(f), &[a, b]) => f(raw, a, b),
            (Function::Three(f), &[a, b, c]) => f(raw, a, b, c),
            (Function::Many(f), [_, ..]) => match c_uint::try_from(asts.len()) {
                Ok(count) => f(raw, count, asts.as_ptr()),
                Err(_) => return Err(Refusal("too many arguments".to_owned())),
            },
            _ => return Err(Refusal(format!("a function with {} arguments", asts.len()))),
        }
    };
    made(&context, ast)
}

/// The string of these code points.
pub(crate) fn string(codes: &[u32]) -> Result<Dynamic, Refusal> {
    let context = Context::thread_local();
    let length =
        c_uint::try_from(codes.len()).map_err(|_| Refusal("a string that is too long".to_owned()))?;
    // SAFETY: the pointer is to `length` numbers, which Z3 copies.
    made(&context, unsafe { sys::Z3_mk_u32string(context.get_z3_context(), length, codes.as_ptr()) })
}

/// A constant of a sort, by number: two of different numbers are different whatever a user calls them.
pub(crate) fn constant(number: u32, sort: &Sort) -> Dynamic {
    Dynamic::new_const(Symbol::Int(number), sort)
}

/// The empty language (`full == false`) or the language of all strings.
pub(crate) fn language(full: bool) -> Result<Dynamic, Refusal> {
    let context = Context::thread_local();
    let raw = context.get_z3_context();
    // SAFETY: the sorts are made in this context and used before anything else is; Z3 keeps the string sort
    // for ever.
    let ast = unsafe {
        sys::Z3_mk_string_sort(raw).and_then(|s| sys::Z3_mk_re_sort(raw, s)).and_then(|sort| {
            if full { sys::Z3_mk_re_full(raw, sort) } else { sys::Z3_mk_re_empty(raw, sort) }
        })
    };
    made(&context, ast)
}

/// `regex` repeated from `low` to `high` times, `high` at least 1 and `low` at most `high`; without `high`,
/// at least `low` times.
pub(crate) fn repeat(regex: &Dynamic, low: u32, high: Option<u32>) -> Result<Dynamic, Refusal> {
    let context = regex.get_ctx();
    // SAFETY: the term is alive and of this context. Zero as the upper bound means none.
    made(context, unsafe {
        sys::Z3_mk_re_loop(context.get_z3_context(), regex.get_z3_ast(), low, high.unwrap_or(0))
    })
}

/// The code points of a string literal; `None` for any other term.
pub(crate) fn string_value(term: &Dynamic) -> Option<Vec<u32>> {
    let (context, ast) = (term.get_ctx().get_z3_context(), term.get_z3_ast());
    // SAFETY: the term is alive and of this context; the buffer has the length that Z3 says.
    unsafe {
        if !sys::Z3_is_string(context, ast) {
            return None;
        }
        let length = sys::Z3_get_string_length(context, ast);
        let mut contents = vec![0; usize::try_from(length).ok()?];
        sys::Z3_get_string_contents(context, ast, length, contents.as_mut_ptr());
        Some(contents)
    }
}

/// The decimal digits of an integer literal, with a sign; `None` for any other term.
pub(crate) fn int_value(term: &Dynamic) -> Option<String> {
    let (context, ast) = (term.get_ctx().get_z3_context(), term.get_z3_ast());
    // SAFETY: the term is alive and of this context; the text is Z3's own and is copied at once.
    unsafe {
        if !sys::Z3_is_numeral_ast(context, ast) {
            return None;
        }
        let text = sys::Z3_get_numeral_string(context, ast);
        (!text.is_null()).then(|| CStr::from_ptr(text).to_string_lossy().into_owned())
    }
}
