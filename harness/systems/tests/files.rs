//! Files of the three formats: what they say, what is wrong with them, and that what is written is read back.

#![allow(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use harness_check::matcher::matches;
use harness_model::{Alphabet, SmtString, SolutionKind, SystemFormat};
use harness_systems::{Document, Language, Piece, Relation, RequestKind, System, dprle, hampi, read, smtlib};

fn document(text: &str, format: SystemFormat) -> Document {
    read(text, format, Alphabet::Latin1).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn error(text: &str, format: SystemFormat) -> String {
    read(text, format, Alphabet::Latin1).map_or_else(|error| error.to_string(), |read| panic!("{read:?}"))
}

/// Whether values satisfy a system, by the definition.
fn holds(system: &System, values: &[&str]) -> bool {
    let values: Vec<SmtString> = values.iter().map(|value| SmtString::from(*value)).collect();
    system.constraints.iter().all(|constraint| {
        let word = System::word(&constraint.pieces, &values);
        let regex = constraint.language.regex().unwrap();
        matches(&regex, &word) == (constraint.relation == Relation::In)
    })
}

fn only(document: &Document) -> &System {
    assert_eq!(document.queries.len(), 1);
    document.queries[0].system.as_ref().unwrap()
}

/// The digits must end a value, and a quote must be in the whole query: the shape of figure 1.1.
const QUERY: &str = "
# a filter that forgets where the value begins
filter < [ s: a f: b d: a -> a on any a -> b on { '0', '1' } ];
prefix subset [ s: a f: c d: a -> b on {'n'} b -> c on { \\095, } ];
unsafe < [ s: p f: q d: p -> p on neg { ''' } p -> q on {'''} q -> q on any ];
value < filter;
whole = prefix . value;
whole < unsafe;
solve();
value ?< filter; strings(3, value, whole);
push(); value < [ s: a f: a d: a -> a on { '0' } ]; solve_all(); show(); pop(); select(2); solve();
";

#[test]
fn names_on_the_right_are_the_languages_that_they_are_bounded_by() {
    let document = document(QUERY, SystemFormat::Dprle);
    assert_eq!(document.queries.len(), 3);
    assert!(document.notes.is_empty(), "{:?}", document.notes);
    let system = document.queries[0].system.as_ref().unwrap();
    assert_eq!(system.variables, ["filter", "prefix", "unsafe", "value"]);
    assert_eq!((system.definitions.len(), system.definitions[0].name.as_str()), (1, "whole"));
    assert!(holds(system, &["0", "n_", "'", "' OR 1=1"]));
    for wrong in
        [["0", "n_", "'", "1"], ["0", "n", "'", "'1"], ["0", "n_", "'", "1'"], ["x", "n_", "'", "'1"]]
    {
        assert!(!holds(system, &wrong), "{wrong:?}");
    }
    let narrow = document.queries[1].system.as_ref().unwrap();
    assert!(!holds(narrow, &["0", "n_", "'", "'0"]));
    assert_eq!(document.queries[2].system.as_ref().unwrap(), system);
    let kinds: Vec<&RequestKind> = document.queries[0].requests.iter().map(|request| &request.kind).collect();
    let words = RequestKind::Words(3, vec!["value".into(), "whole".into()]);
    assert_eq!(kinds, [&RequestKind::Included("value".into(), "filter".into()), &words]);
    let all: Vec<&RequestKind> = document.queries[1].requests.iter().map(|request| &request.kind).collect();
    assert_eq!(all, [&RequestKind::Show(vec![]), &RequestKind::Select(2)]);
}

#[test]
fn names_that_bound_each_other_allow_what_both_do() {
    let text = "a < b; b < a; a < neg [ s: x f: y d: x -> y on { 'x' } ]; b < [ s: x f: y d: x -> y on any ]; solve();";
    let document = document(text, SystemFormat::Dprle);
    let system = only(&document);
    assert!(holds(system, &["y", "z"]) && !holds(system, &["x", "z"]) && !holds(system, &["yy", "z"]));
}

#[test]
fn what_means_nothing_is_noted_and_what_is_wrong_has_a_place() {
    let notes = document("pop(); shows(); a ?< b; a < b; solve();", SystemFormat::Dprle).notes;
    let notes: Vec<String> = notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes.len(), 3);
    assert!(notes[1].starts_with("line 1 column 8: there is no command 'shows'"), "{notes:?}");
    for (text, part) in [
        ("a <\n b", "line 2 column 3: expected ';' at the end of a statement, found the end of the text"),
        ("a < [ s: x f: y d: x -> y on { 'a' 'b' } ];", "line 1 column 36: expected ',' or '}'"),
        ("a < [ f: y", "line 1 column 7: expected 's:', the start state"),
        ("a < [ s: x f: y d: x on any ];", "expected '->'"),
        (
            "a < [ s: x f: y d: x -> y on { '\u{e9}', '\u{3b1}' } ];",
            "expected a character of latin1, found U+03B1",
        ),
        ("a < [ s: x f: y d: x -> y on { 'b'-'a' } ];", "lower one"),
        ("a . < b;", "line 1 column 5: expected a name after '.'"),
        ("w = a . b; x < w; solve();", "found the concatenation 'w'"),
        ("w = w . b; solve();", "'w' would stand for a part of itself"),
        ("solve(a);", "expected nothing in 'solve(…)'"),
        ("a < neg b;", "expected '[' of an automaton after 'neg'"),
        ("7 < a;", "line 1 column 1: expected a statement"),
    ] {
        let said = error(text, SystemFormat::Dprle);
        assert!(said.contains(part), "{text}: {said}");
    }
}

#[test]
fn a_dprle_file_is_read_back() {
    let first = document(QUERY, SystemFormat::Dprle);
    let system = first.queries[0].system.as_ref().unwrap();
    let text = dprle::write(system, SolutionKind::All, Alphabet::Latin1).unwrap();
    assert!(text.ends_with("solve_all();\n"));
    let again = document(&text, SystemFormat::Dprle);
    let read = only(&again);
    assert_eq!((&read.variables, read.constraints.len()), (&system.variables, system.constraints.len()));
    for values in [["0", "n_", "'", "' OR 1=1"], ["0", "n_", "'", "1"], ["0", "n_", "'", "1'"]] {
        assert_eq!(holds(read, &values), holds(system, &values));
    }
    // Expressions, words and names that DPRLE cannot have.
    let hampi = document(
        "var `s f`:1..3; val q := concat(\"a\\\"\", `s f`); reg r := or(star(\"a\\\"\"), [\\000-'z']); assert q not in r;",
        SystemFormat::Hampi,
    );
    let system = only(&hampi);
    let text = dprle::write(system, SolutionKind::First, Alphabet::Latin1).unwrap();
    let again = document(&text, SystemFormat::Dprle);
    let read = only(&again);
    for value in ["a\"", "a", "bb", "", "abcd"] {
        let values: Vec<&str> =
            read.variables.iter().map(|name| if name == "s_f" { value } else { "a\"" }).collect();
        assert_eq!(holds(read, &values), holds(system, &[value]), "{value}\n{text}");
    }
}

#[test]
fn a_hampi_file_is_a_system_of_one_variable() {
    let text = "
        // a value in a tiny query language
        var v : 2 .. 6;
        cfg Digit := ['0'-'9']; cfg Number := (Digit)+ | ; cfg Tail := \"x\" Tail | Number;
        reg r := concat(\"q\", or(star([\\097-\\099]), \"'\"), Tail);
        val q := concat(\"q\", v);
        assert q in r; /* and
        not */ assert v not contains \"aa\"; assert q not equals \"qab\";
    ";
    let document = document(text, SystemFormat::Hampi);
    let system = only(&document);
    assert_eq!((system.variables.as_slice(), system.definitions.len()), (&["v".to_owned()][..], 1));
    for (value, expected) in [
        ("abx7", true),
        ("'12", true),
        ("ab", false),
        ("aab", false),
        ("a", false),
        ("cbcbcbc", false),
        ("''", false),
        ("xx", true),
    ] {
        assert_eq!(holds(system, &[value]), expected, "{value}");
    }
}

#[test]
fn parts_of_the_variable_are_variables() {
    let text = "var v:5; val p := v[0:3]; val s := v[2:3]; reg r1 := star(['a'-'b']); reg r2 := star(\"b\");
                assert p in r1; assert s in r2;";
    let document = document(text, SystemFormat::Hampi);
    let system = only(&document);
    assert_eq!(system.variables, ["v[0:2]", "v[2:1]", "v[3:2]"]);
    assert_eq!(system.definitions[0].pieces.len(), 3);
    assert!(holds(system, &["ab", "b", "bb"]) && !holds(system, &["ab", "a", "bb"]));
    assert!(!holds(system, &["ab", "b", "b"]));
    // Of several lengths: the last part takes what is left.
    let text = "var v:2..5; val p := v[0:3]; assert p contains \"ab\";";
    let document = self::document(text, SystemFormat::Hampi);
    let system = only(&document);
    assert_eq!(system.variables, ["v[0:3]", "v[3:]"]);
    assert!(holds(system, &["xab", ""]) && holds(system, &["xab", "cc"]) && !holds(system, &["ab", ""]));
}

#[test]
fn values_that_are_compared_are_cut_into_characters() {
    let text = |not: &str| format!("var v:6; val a := v[0:3]; val b := v[2:3]; assert a {not} equals b;");
    for not in ["", "not"] {
        let document = document(&text(not), SystemFormat::Hampi);
        let system = only(&document);
        assert_eq!(system.variables.len(), 6);
        for (word, equal) in [("ababab", true), ("aaaaaz", true), ("abcabc", false), ("aabaab", false)] {
            let values: Vec<&str> = (0..6).map(|i| &word[i..=i]).collect();
            assert_eq!(holds(system, &values), equal == not.is_empty(), "{word} {not}");
        }
    }
    let document =
        document("var v:4; val a := v[0:3]; val b := v[2:2]; assert a equals b;", SystemFormat::Hampi);
    assert!(!holds(only(&document), &["a", "a", "a", "a"]));
}

#[test]
fn faults_of_hampi_files_have_a_place() {
    for (text, part) in [
        (
            "var v:3;\nassert v in S;",
            "line 2 column 13: expected an expression or a rule, but 'S' is neither",
        ),
        ("reg r := \"a\";", "expected a variable: a statement 'var NAME : LENGTH;'"),
        ("var v:3..2;", "expected a length of at least 3, found 2"),
        ("var v:$N$;", "expected a length, found '$'"),
        ("var v:3; var w:3;", "only one is allowed"),
        ("var v:3; reg r := star(\"a\", \"b\");", "expected one expression in 'star', found 2"),
        (
            "var v:3; cfg S := \"a\" |",
            "expected a text, a character code, a range, a name, '|' or ';', found the end",
        ),
        ("var v:3; val s := v[1:3];", "expected a part within 3 characters, found [1:3]"),
        ("var v:3; assert w in r;", "expected the variable or a value defined before, found 'w'"),
        ("var v:3; cfg S := (\"a\");", "expected '?', '*' or '+'"),
        ("var v:3; reg r := [\\300-\\301];", "expected a character of latin1, found U+012C"),
    ] {
        let said = error(text, SystemFormat::Hampi);
        assert!(said.contains(part), "{text}: {said}");
    }
    let nested = format!("var v:3; reg r := {}\"a\"{};", "star(".repeat(5000), ")".repeat(5000));
    assert!(error(&nested, SystemFormat::Hampi).contains("nested at most"));
    // Depth by names is no fault of the file, but there is no system then.
    let mut deep = "var v:3; reg r0 := \"ab\";".to_owned();
    for i in 0..1000 {
        deep += &format!("reg r{} := star(concat(r{i}, \"b\"));", i + 1);
    }
    let document = document(&(deep + "assert v in r1000;"), SystemFormat::Hampi);
    assert!(document.queries[0].system.as_ref().unwrap_err().contains("nested too deeply"));
}

#[test]
fn a_grammar_that_need_not_be_regular_is_bounded() {
    let document = document(
        "var v:4; cfg S := \"!\" | \"a\" S \"b\"; reg r := fix(S, 5); assert v in r;",
        SystemFormat::Hampi,
    );
    let system = only(&document);
    assert!(matches!(*system.constraints[1].language, Language::Automaton(_)));
    assert!(!holds(system, &["aa!b"]) && !holds(system, &["aa!bb"]), "five characters are not four");
    let file = document.hampi.unwrap();
    assert_eq!(file.grammar.rules[0].alternatives.len(), 2);
    // Of a file that gets expressions from elsewhere.
    let system = hampi::lower_with(&file, Alphabet::Latin1, &mut |_, _, lengths| {
        assert_eq!(lengths, (5, 5));
        Ok(Language::word(&SmtString::from("aa!bb")))
    });
    assert!(!holds(&system.unwrap(), &["aa!b"]));
}

#[test]
fn grammars_are_bounded_by_what_is_asked_of_them() {
    let text = |what: &str| {
        format!(
            "var v:2..5; val q := concat(\"(\", v); cfg S := | \"(\" S \")\" S | (D)+; cfg D := ['0'-'1']; {what}"
        )
    };
    // Of several lengths, of parts of an expression, and of what must not hold.
    for (what, words, others) in [
        ("assert q in S;", [")0", "())"], ["()", "))"]),
        (
            "reg r := concat(\"<\", fix(S, 3), star(\">\")); assert v in r;",
            ["<(0)", "<010>"],
            ["<0>", "<()>"],
        ),
        ("reg r := concat(star(\"<\"), S); assert v in r;", ["<<()", "(01)"], ["<(", "<(0>"]),
        ("assert v not in S;", ["((", "00("], ["00", "(())"]),
    ] {
        let document = document(&text(what), SystemFormat::Hampi);
        let system = only(&document);
        for word in words {
            assert!(holds(system, &[word]), "{word} {what}");
        }
        for word in others {
            assert!(!holds(system, &[word]), "{word} {what}");
        }
    }
    let long = text("assert q in S;").replace("2..5", "2..4000");
    let said = document(&long, SystemFormat::Hampi).queries[0].system.clone().unwrap_err();
    assert!(said.contains("'S' names itself") && said.contains("at most 127"), "{said}");
}

#[test]
fn a_hampi_file_is_read_back() {
    let text = "var v:2; val q := concat(\"a\\\\\", v); reg r := concat(star(or(\"a\\\\\", [\\001-\\255])), \\010); assert q in r;";
    let first = document(text, SystemFormat::Hampi);
    let written = hampi::write(only(&first), (2, 2), Alphabet::Latin1).unwrap();
    let again = document(&written, SystemFormat::Hampi);
    for value in ["b\n", "\n\n", "\n", "aa", "\n\u{0}"] {
        assert_eq!(holds(only(&first), &[value]), holds(only(&again), &[value]), "{value:?}\n{written}");
    }
    let two = document("a . b < [ s: x f: x d: ]; solve();", SystemFormat::Dprle);
    assert!(hampi::write(only(&two), (1, 2), Alphabet::Latin1).unwrap_err().contains("exactly one variable"));
}

#[test]
fn memberships_of_a_script_are_a_system() {
    let first = document(QUERY, SystemFormat::Dprle);
    let systems: Vec<&System> = first.queries.iter().map(|query| query.system.as_ref().unwrap()).collect();
    let text = smtlib::script(systems.iter().copied(), Alphabet::Latin1).unwrap();
    let again = document(&text, SystemFormat::Smtlib);
    assert_eq!(again.queries.len(), 3);
    for (query, system) in again.queries.iter().zip(systems) {
        let read = query.system.as_ref().unwrap();
        assert_eq!(read.variables, system.variables);
        for values in [["0", "n_", "'", "' OR 1=1"], ["0", "n_", "'", "1"], ["0", "n_", "'", "'0"]] {
            assert_eq!(holds(read, &values), holds(system, &values), "{values:?}\n{text}");
        }
    }
    let text = "(declare-const x String)(declare-const y String)
        (assert (and (= (str.++ x \"b\" y) \"abc\") (not (or (str.in_re x (re.* (str.to_re \"b\"))) (= y \"d\")))))
        (check-sat)(assert (= x y))(check-sat)";
    let document = document(text, SystemFormat::Smtlib);
    let system = document.queries[0].system.as_ref().unwrap();
    assert!(holds(system, &["a", "c"]) && !holds(system, &["", "c"]) && !holds(system, &["ab", ""]));
    assert_eq!(system.constraints[0].pieces[1], Piece::Word(SmtString::from("b")));
    let other = document.queries[1].system.as_ref().unwrap_err();
    assert!(other.contains("'(= x y)' is no membership"), "{other}");
}
