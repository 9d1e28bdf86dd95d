//! What a backslash introduces, inside brackets and outside.

use std::sync::Arc;

use harness_model::{CharSet, Regex};

use crate::engine::Engine;
use crate::error::ParseError;
use crate::look::Look;
use crate::node::{self, Node};
use crate::parser::Parser;
use crate::unicode;

/// What it is.
pub(crate) enum Escape {
    /// Nothing at all: the begin or end of a quotation.
    Nothing,
    /// A character, not folded.
    Char(u32),
    /// A class, cut to the alphabet.
    Set(Arc<CharSet>),
    /// Anything else; never inside brackets.
    Node(Node),
}

/// The classes `\w`, `\d`, `\s` and their negations, each made at its first use.
#[derive(Default)]
pub(crate) struct Named {
    sets: [Option<Arc<CharSet>>; 6],
}

impl Parser {
    /// Reads an escape whose backslash, at `at`, is already taken.
    pub(crate) fn escape(&mut self, at: usize, in_class: bool) -> Result<Escape, ParseError> {
        let Some(c) = self.cursor.peek() else {
            return Err(self.syntax(at, "the pattern ends in a lone backslash; write \\\\ for the character"));
        };
        if c.is_ascii_digit() {
            return self.digits(at, in_class);
        }
        let raw = self.cursor.next().unwrap_or_default();
        let dotnet = self.engine == Engine::Dotnet;
        Ok(match c {
            'd' | 'D' | 'w' | 'W' | 's' | 'S' => Escape::Set(self.shorthand(c)),
            'p' | 'P' => Escape::Set(Arc::new(self.property(at, c == 'P')?)),
            'a' => Escape::Char(0x07),
            't' => Escape::Char(0x09),
            'n' => Escape::Char(0x0A),
            'f' => Escape::Char(0x0C),
            'r' => Escape::Char(0x0D),
            'e' => Escape::Char(0x1B),
            'v' if dotnet => Escape::Char(0x0B),
            'v' | 'V' if !dotnet => self.set(unicode::vertical_space(self.alphabet), c == 'V'),
            'h' | 'H' if !dotnet => self.set(unicode::horizontal_space(self.alphabet), c == 'H'),
            'b' if in_class && self.engine != Engine::Java => Escape::Char(0x08),
            'x' => Escape::Char(self.hexadecimal(at)?),
            'u' if self.engine != Engine::Pcre2 => Escape::Char(self.four_digits(at)?),
            'c' => Escape::Char(self.control(at)?),
            'o' if self.engine == Engine::Pcre2 => Escape::Char(self.braced(at, 8)?),
            'N' if self.engine == Engine::Pcre2 && self.cursor.eat("{U+") => {
                Escape::Char(self.digits_to_brace(at, 16)?)
            }
            'Q' if !dotnet => {
                self.quoting = true;
                Escape::Nothing
            }
            'E' if self.engine == Engine::Pcre2 => Escape::Nothing,
            _ if !in_class && c.is_ascii_alphabetic() => Escape::Node(self.special(c, at)?),
            _ if self.is_illegal(c) => return Err(self.unknown(at, c, in_class)),
            _ => Escape::Char(raw),
        })
    }

    /// Whether a backslash before `c` means nothing.
    fn is_illegal(&self, c: char) -> bool {
        match self.engine {
            Engine::Dotnet => c == '_' || c.is_alphanumeric(),
            _ => c.is_ascii_alphanumeric(),
        }
    }

    fn unknown(&self, at: usize, c: char, in_class: bool) -> ParseError {
        let place = if in_class { " inside brackets" } else { "" };
        self.syntax(at, format!("\\{c} means nothing{place} in {}", self.engine))
    }

    fn set(&self, set: CharSet, negated: bool) -> Escape {
        Escape::Set(Arc::new(if negated { set.complement(self.alphabet) } else { set }))
    }

    /// Assertions and what is neither character nor class.
    fn special(&mut self, c: char, at: usize) -> Result<Node, ParseError> {
        let offset = self.cursor.offset(at);
        let pcre2 = self.engine == Engine::Pcre2;
        let dotnet = self.engine == Engine::Dotnet;
        Ok(match c {
            'A' => Node::Look(Look::text_start(self.alphabet), offset),
            'z' => Node::Look(Look::text_end(self.alphabet), offset),
            'Z' => Node::Look(self.final_end(), offset),
            'b' | 'B' => {
                if c == 'b' && self.cursor.looking_at("{g}") && self.engine == Engine::Java {
                    return Err(self.unsupported(at, "boundaries of grapheme clusters are not modelled"));
                }
                Node::Look(self.word_boundary(c == 'b'), offset)
            }
            'G' => return Err(self.unsupported(at, "\\G depends on an earlier match")),
            'R' if !dotnet => self.line_break(offset),
            'N' if pcre2 => {
                if self.cursor.peek() == Some('{') && !self.count_ahead()? {
                    return Err(self.syntax(at, "characters by name are not in this dialect; write \\x{...}"));
                }
                Node::Plain(Regex::set(unicode::newline().complement(self.alphabet)))
            }
            'X' if !dotnet => return Err(self.unsupported(at, "grapheme clusters are not modelled")),
            'N' if self.engine == Engine::Java => {
                return Err(self.unsupported(at, "characters by name are not modelled; write \\x{...}"));
            }
            'K' if pcre2 => return Err(self.unsupported(at, "\\K is not modelled")),
            'C' if pcre2 => return Err(self.unsupported(at, "\\C matches less than a character")),
            'g' if pcre2 => return Err(self.unsupported(at, "a back-reference or subroutine is not regular")),
            'k' => return Err(self.unsupported(at, "a back-reference is not regular")),
            _ => return Err(self.unknown(at, c, false)),
        })
    }

    /// `\b`, or `\B` when `boundary` is false.
    fn word_boundary(&self, boundary: bool) -> Look {
        let word = match self.engine {
            // Under flag `U` marks are parts of words wherever they stand.
            Engine::Java if self.flags.unicode_classes => unicode::word(self.alphabet),
            Engine::Java => return Look::java_word_boundary(boundary, self.alphabet),
            // .NET counts the joiners as parts of words here.
            Engine::Dotnet => {
                let joiners = CharSet::from_ranges([(0x200C, 0x200D)]).cut_to(self.alphabet);
                unicode::dotnet_word(self.alphabet).union(&joiners)
            }
            Engine::Pcre2 => unicode::ascii_word(),
        };
        if boundary {
            Look::word_boundary(&word, self.alphabet)
        } else {
            Look::no_word_boundary(&word, self.alphabet)
        }
    }

    /// `\R`: a line break, two characters long if it is `\r\n`.
    fn line_break(&self, offset: usize) -> Node {
        let single = |c| Regex::set(CharSet::from_ranges([(c, c)]));
        let crlf = Regex::concat([single(0x0D), single(0x0A)]);
        let term = node::union([crlf, Regex::set(unicode::vertical_space(self.alphabet))]);
        // PCRE2 does not split a `\r\n` once it has taken both.
        if self.engine == Engine::Pcre2 { Node::Atomic(term, offset) } else { Node::Plain(term) }
    }

    /// `\d`, `\w`, `\s` or a negation.
    fn shorthand(&mut self, c: char) -> Arc<CharSet> {
        let index = match c {
            'w' => 0,
            'W' => 1,
            'd' => 2,
            'D' => 3,
            's' => 4,
            _ => 5,
        };
        let unicode_java = self.engine == Engine::Java && self.flags.unicode_classes;
        let key = if unicode_java { None } else { self.named.sets[index].clone() };
        if let Some(set) = key {
            return set;
        }
        let alphabet = self.alphabet;
        let positive = match (c.to_ascii_lowercase(), self.engine) {
            ('w', Engine::Dotnet) if self.study => unicode::study_word(alphabet),
            ('w', Engine::Dotnet) => unicode::dotnet_word(alphabet),
            ('d', Engine::Dotnet) => unicode::dotnet_digit(alphabet),
            (_, Engine::Dotnet) => unicode::dotnet_space(alphabet),
            ('w', _) if unicode_java => unicode::word(alphabet),
            ('d', _) if unicode_java => unicode::properties(&["Nd"], alphabet),
            (_, _) if unicode_java => unicode::properties(&["White_Space"], alphabet),
            ('w', _) => unicode::ascii_word(),
            ('d', _) => unicode::ascii_digit(),
            _ => unicode::ascii_space(),
        };
        let set = Arc::new(if c.is_ascii_uppercase() { positive.complement(alphabet) } else { positive });
        if !unicode_java {
            self.named.sets[index] = Some(Arc::clone(&set));
        }
        set
    }

    /// A digit after the backslash: an octal number or a back-reference.
    fn digits(&mut self, at: usize, in_class: bool) -> Result<Escape, ParseError> {
        let first = self.cursor.peek().unwrap_or('0');
        if self.engine == Engine::Java {
            if first != '0' {
                return Err(if in_class {
                    self.unknown(at, first, true)
                } else {
                    self.unsupported(at, "a back-reference is not regular")
                });
            }
            self.cursor.skip(1);
            let long = matches!(self.cursor.peek(), Some('0'..='3'));
            let octal = self.cursor.take_while(if long { 3 } else { 2 }, |c| c.is_digit(8));
            let value = u32::from_str_radix(&octal, 8);
            return value
                .map(Escape::Char)
                .map_err(|_| self.syntax(at, "\\0 wants one to three octal digits"));
        }
        if first != '0' && !in_class {
            let from = self.cursor.at();
            let number = self.cursor.take_while(10, |c| c.is_ascii_digit());
            let value = number.parse::<usize>().unwrap_or(usize::MAX);
            let eight = first >= '8';
            if value < 10 || value <= self.cursor.parentheses() || (eight && self.engine == Engine::Pcre2) {
                return Err(self.unsupported(at, "a back-reference is not regular"));
            }
            if eight {
                return Err(self.syntax(at, format!("there is no group {value}")));
            }
            self.cursor.seek(from);
        }
        if first >= '8' {
            // Inside brackets only.
            self.cursor.skip(1);
            return match self.engine {
                Engine::Pcre2 => Ok(Escape::Char(u32::from(first))),
                _ => Err(self.unknown(at, first, in_class)),
            };
        }
        let octal = self.cursor.take_while(3, |c| c.is_digit(8));
        let value = u32::from_str_radix(&octal, 8).unwrap_or_default();
        Ok(Escape::Char(if self.engine == Engine::Dotnet { value & 0xFF } else { value }))
    }

    fn hexadecimal(&mut self, at: usize) -> Result<u32, ParseError> {
        if self.engine != Engine::Dotnet && self.cursor.peek() == Some('{') {
            return self.braced(at, 16);
        }
        let digits = self.cursor.take_while(2, |c| c.is_ascii_hexdigit());
        if self.engine == Engine::Pcre2 {
            return Ok(u32::from_str_radix(&digits, 16).unwrap_or_default());
        }
        let value = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 2);
        value.ok_or_else(|| self.syntax(at, "\\x wants two hexadecimal digits"))
    }

    /// `{...}` with digits to `base`.
    fn braced(&mut self, at: usize, base: u32) -> Result<u32, ParseError> {
        if !self.cursor.eat("{") {
            return Err(self.syntax(at, "a '{' is missing here"));
        }
        self.digits_to_brace(at, base)
    }

    fn digits_to_brace(&mut self, at: usize, base: u32) -> Result<u32, ParseError> {
        let digits = self.cursor.take_while(16, |c| c.is_digit(base));
        // In its UTF mode PCRE2 has no surrogates.
        let surrogate = |v: u32| self.engine == Engine::Pcre2 && (0xD800..=0xDFFF).contains(&v);
        let value = u32::from_str_radix(&digits, base).ok().filter(|&v| v <= 0x10_FFFF && !surrogate(v));
        match value {
            Some(value) if self.cursor.eat("}") => Ok(value),
            _ => Err(self.syntax(at, "this is no character: digits up to 10FFFF and a '}' are wanted")),
        }
    }

    /// `\uHHHH`, in Java two of them for one character where they are a surrogate pair.
    fn four_digits(&mut self, at: usize) -> Result<u32, ParseError> {
        let first = self.one_unit(at)?;
        let here = self.cursor.at();
        if self.engine == Engine::Java && (0xD800..0xDC00).contains(&first) && self.cursor.eat("\\u") {
            if let Ok(second @ 0xDC00..=0xDFFF) = self.one_unit(here) {
                return Ok(0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00));
            }
            self.cursor.seek(here);
        }
        Ok(first)
    }

    fn one_unit(&mut self, at: usize) -> Result<u32, ParseError> {
        let digits = self.cursor.take_while(4, |c| c.is_ascii_hexdigit());
        let value = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == 4);
        value.ok_or_else(|| self.syntax(at, "\\u wants four hexadecimal digits"))
    }

    /// `\cX`
    fn control(&mut self, at: usize) -> Result<u32, ParseError> {
        let c = self.cursor.next();
        let value = match self.engine {
            Engine::Java => c.map(|c| c ^ 0x40),
            Engine::Pcre2 => c
                .and_then(|c| u8::try_from(c).ok())
                .filter(|c| (b' '..=b'~').contains(c))
                .map(|c| u32::from(c.to_ascii_uppercase() ^ 0x40)),
            Engine::Dotnet => c
                .and_then(|c| u8::try_from(c).ok())
                .map(|c| c.to_ascii_uppercase())
                .filter(|c| (b'@'..=b'_').contains(c))
                .map(|c| u32::from(c - b'@')),
        };
        value.ok_or_else(|| self.syntax(at, "\\c wants a letter behind it"))
    }
}
