//! The dialect of the Rust crate `regex`, read by the parser of that crate.
//!
//! So syntax, classes and folding are the crate's own by construction. Two things follow: the size limit that
//! the crate puts on what it compiles is not applied, as nothing is compiled here; and no class has
//! surrogates, as the crate knows strings of Unicode scalar values only.

use harness_model::{Alphabet, CharSet, Regex};
use regex_syntax::ast::{self, Ast};
use regex_syntax::hir::translate::TranslatorBuilder;
use regex_syntax::hir::{self, Class, Hir, HirKind};

use crate::error::{ErrorKind, ParseError};
use crate::look::{LineStartAtEnd, Look};
use crate::node::{self, Node};
use crate::unicode;

/// How deep groups may nest: the default of the crate.
const NESTING: u32 = 250;

/// Reads `pattern`.
pub(crate) fn read(pattern: &str, alphabet: Alphabet) -> Result<Node, ParseError> {
    let tree =
        ast::parse::ParserBuilder::new().nest_limit(NESTING).build().parse(pattern).map_err(|error| {
            let kind = match error.kind() {
                ast::ErrorKind::NestLimitExceeded(_) => ErrorKind::Limit,
                ast::ErrorKind::UnsupportedLookAround | ast::ErrorKind::UnsupportedBackreference => {
                    ErrorKind::Unsupported
                }
                _ => ErrorKind::Syntax,
            };
            at(pattern, error.span(), kind, &error.kind().to_string())
        })?;
    let hir = TranslatorBuilder::new()
        .build()
        .translate(pattern, &tree)
        .map_err(|error| at(pattern, error.span(), ErrorKind::Syntax, &error.kind().to_string()))?;
    let repetition = repeated_assertion(&tree, false).map(|offset| characters(pattern, offset));
    node_of(&hir, &Place { alphabet, repetition: repetition.unwrap_or(0) })
}

fn at(pattern: &str, span: &ast::Span, kind: ErrorKind, message: &str) -> ParseError {
    ParseError { offset: characters(pattern, span.start.offset), message: message.to_owned(), kind }
}

/// How many characters the first `bytes` bytes of `pattern` are.
fn characters(pattern: &str, bytes: usize) -> usize {
    pattern.char_indices().take_while(|&(at, _)| at < bytes).count()
}

/// Where an assertion inside a repetition stands, in bytes: the terms have no places of their own.
fn repeated_assertion(tree: &Ast, repeated: bool) -> Option<usize> {
    match tree {
        Ast::Assertion(assertion) if repeated => Some(assertion.span.start.offset),
        Ast::Repetition(repetition) => repeated_assertion(&repetition.ast, true),
        Ast::Group(group) => repeated_assertion(&group.ast, repeated),
        Ast::Alternation(parts) => parts.asts.iter().find_map(|part| repeated_assertion(part, repeated)),
        Ast::Concat(parts) => parts.asts.iter().find_map(|part| repeated_assertion(part, repeated)),
        _ => None,
    }
}

struct Place {
    alphabet: Alphabet,
    /// Where an assertion is repeated, if one is.
    repetition: usize,
}

fn node_of(hir: &Hir, place: &Place) -> Result<Node, ParseError> {
    let alphabet = place.alphabet;
    Ok(match hir.kind() {
        HirKind::Empty => Node::Plain(Regex::Epsilon),
        HirKind::Literal(literal) => {
            let text = std::str::from_utf8(&literal.0)
                .map_err(|_| ParseError::unsupported(0, "bytes that are no characters are not modelled"))?;
            Node::concat(text.chars().map(|c| character(u32::from(c), alphabet)).collect())
        }
        HirKind::Class(class) => {
            let set = match class {
                Class::Unicode(class) => {
                    CharSet::from_ranges(class.iter().map(|r| (u32::from(r.start()), u32::from(r.end()))))
                }
                Class::Bytes(class) => {
                    CharSet::from_ranges(class.iter().map(|r| (u32::from(r.start()), u32::from(r.end()))))
                }
            };
            Node::Plain(Regex::set(set.cut_to(alphabet)))
        }
        HirKind::Look(look) => Node::Look(look_of(*look, alphabet), place.repetition),
        HirKind::Repetition(repetition) => {
            let inner = node_of(&repetition.sub, place)?;
            let captured = matches!(repetition.sub.kind(), HirKind::Capture(_));
            let inner = match inner {
                Node::Plain(set) if captured && matches!(set, Regex::Set(_)) => {
                    Node::Plain(Regex::concat([set]))
                }
                other => other,
            };
            match repetition.max {
                Some(0) => Node::Plain(Regex::Epsilon),
                max => inner.repeat(repetition.min, max, place.repetition),
            }
        }
        HirKind::Capture(capture) => node_of(&capture.sub, place)?,
        HirKind::Concat(parts) => {
            Node::concat(parts.iter().map(|p| node_of(p, place)).collect::<Result<_, _>>()?)
        }
        HirKind::Alternation(parts) => {
            Node::union(parts.iter().map(|p| node_of(p, place)).collect::<Result<_, _>>()?)
        }
    })
}

/// One character; over `utf16` one above FFFF is two units.
fn character(c: u32, alphabet: Alphabet) -> Node {
    let single = |c| Regex::set(CharSet::from_ranges([(c, c)]).cut_to(alphabet));
    if alphabet == Alphabet::Utf16 && c > 0xFFFF {
        let c = c - 0x1_0000;
        return Node::Plain(node::concat([single(0xD800 + (c >> 10)), single(0xDC00 + (c & 0x3FF))]));
    }
    Node::Plain(single(c))
}

fn look_of(look: hir::Look, alphabet: Alphabet) -> Look {
    let newline = unicode::newline();
    let breaks = CharSet::from_ranges([(0x0A, 0x0A), (0x0D, 0x0D)]);
    let ascii = unicode::ascii_word;
    let word = || unicode::word(Alphabet::Unicode);
    match look {
        hir::Look::Start => Look::text_start(alphabet),
        hir::Look::End => Look::text_end(alphabet),
        hir::Look::StartLF => Look::line_start(&newline, LineStartAtEnd::Always, alphabet),
        hir::Look::EndLF => Look::line_end_at_newline(alphabet),
        hir::Look::StartCRLF => Look::line_start_outside_crlf(&breaks, LineStartAtEnd::Always, alphabet),
        hir::Look::EndCRLF => Look::line_end_outside_crlf(&breaks, alphabet),
        hir::Look::WordAscii => Look::word_boundary(&ascii(), alphabet),
        hir::Look::WordAsciiNegate => Look::no_word_boundary(&ascii(), alphabet),
        hir::Look::WordUnicode => Look::word_boundary(&word(), alphabet),
        hir::Look::WordUnicodeNegate => Look::no_word_boundary(&word(), alphabet),
        hir::Look::WordStartAscii => Look::word_edge(&ascii(), Some(false), Some(true), alphabet),
        hir::Look::WordEndAscii => Look::word_edge(&ascii(), Some(true), Some(false), alphabet),
        hir::Look::WordStartUnicode => Look::word_edge(&word(), Some(false), Some(true), alphabet),
        hir::Look::WordEndUnicode => Look::word_edge(&word(), Some(true), Some(false), alphabet),
        hir::Look::WordStartHalfAscii => Look::word_edge(&ascii(), Some(false), None, alphabet),
        hir::Look::WordEndHalfAscii => Look::word_edge(&ascii(), None, Some(false), alphabet),
        hir::Look::WordStartHalfUnicode => Look::word_edge(&word(), Some(false), None, alphabet),
        hir::Look::WordEndHalfUnicode => Look::word_edge(&word(), None, Some(false), alphabet),
    }
}
