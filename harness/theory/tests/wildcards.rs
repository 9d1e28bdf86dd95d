//! No arm over an operation, a relation, a sort, a term or a regular expression is forgotten in silence.
//!
//! A `match` that names variants of one of these types lists all of them, so that the compiler asks for an
//! arm when a new variant comes. One that only recognises a few shapes, and whose catch-all is right for
//! whatever comes, says so: `#[allow(clippy::wildcard_enum_match_arm, reason = "…")]` on the match, on its
//! function or on an item around it.
//!
//! Clippy's lint of this name would also ask for enums of other crates, and does not see tuples; hence this
//! test.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use syn::parse::Parser;
use syn::visit::Visit;

/// The types whose variants grow.
const TYPES: [&str; 10] =
    ["Op", "CoreOp", "ArithOp", "StrOp", "ReOp", "JavaOp", "Relation", "Sort", "Term", "Regex"];

/// The attribute that makes an exception.
const LINT: &str = "wildcard_enum_match_arm";

/// Finds the catch-all arms of one file.
#[derive(Default)]
struct Finder {
    /// What the file calls a type, if it renames one.
    renamed: BTreeMap<String, String>,
    /// The type of each `impl` around the place.
    selves: Vec<String>,
    /// How many items around the place, with the exception's attribute, make an exception.
    excepted: usize,
    /// Line, and the types whose variants the match names.
    found: Vec<(usize, String)>,
}

impl Finder {
    fn file(text: &str) -> Vec<(usize, String)> {
        let mut finder = Self::default();
        finder.visit_file(&syn::parse_file(text).unwrap());
        finder.found
    }

    /// The type of [`TYPES`] of which the path names a variant.
    fn type_of(&self, path: &syn::Path) -> Option<String> {
        let name = path.segments.iter().rev().nth(1)?.ident.to_string();
        let name = match name.as_str() {
            "Self" => self.selves.last()?.clone(),
            _ => self.renamed.get(&name).cloned().unwrap_or(name),
        };
        TYPES.contains(&name.as_str()).then_some(name)
    }

    /// Adds the types whose variants the pattern names.
    fn names(&self, pattern: &syn::Pat, into: &mut Vec<String>) {
        struct Paths<'f>(&'f Finder, Vec<String>);
        impl<'a> Visit<'a> for Paths<'_> {
            fn visit_path(&mut self, path: &'a syn::Path) {
                self.1.extend(self.0.type_of(path));
                syn::visit::visit_path(self, path);
            }
        }
        let mut paths = Paths(self, Vec::new());
        paths.visit_pat(pattern);
        into.extend(paths.1);
    }

    /// Whether the arm of `pattern` takes whatever comes, be it a part of a variant of which other arms name
    /// parts.
    fn takes_all(&self, pattern: &syn::Pat, others: &[&syn::Pat]) -> bool {
        let variant = |path: &syn::Path, field: &syn::Pat| {
            self.type_of(path).is_some()
                && catches_all(field)
                && others.iter().any(|other| alternatives(other).any(|other| self.names_inside(other, path)))
        };
        alternatives(pattern).any(|pattern| {
            catches_all(pattern)
                || match pattern {
                    syn::Pat::TupleStruct(it) if it.elems.len() == 1 => variant(&it.path, &it.elems[0]),
                    _ => false,
                }
        })
    }

    /// Whether the pattern is of the same variant as `path` and names a variant in its fields.
    fn names_inside(&self, pattern: &syn::Pat, path: &syn::Path) -> bool {
        let syn::Pat::TupleStruct(it) = pattern else { return false };
        let mut names = Vec::new();
        it.elems.iter().for_each(|field| self.names(field, &mut names));
        it.path.segments.last().map(|s| &s.ident) == path.segments.last().map(|s| &s.ident)
            && !names.is_empty()
    }

    fn with<T>(&mut self, attributes: &[syn::Attribute], walk: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if attributes.iter().any(is_for_tests) {
            return None;
        }
        let excepts = usize::from(attributes.iter().any(makes_exception));
        self.excepted += excepts;
        let result = walk(self);
        self.excepted -= excepts;
        Some(result)
    }
}

/// The alternatives of a pattern, without parentheses.
fn alternatives(pattern: &syn::Pat) -> Box<dyn Iterator<Item = &syn::Pat> + '_> {
    match pattern {
        syn::Pat::Or(it) => Box::new(it.cases.iter().flat_map(alternatives)),
        syn::Pat::Paren(it) => alternatives(&it.pat),
        syn::Pat::Reference(it) => alternatives(&it.pat),
        _ => Box::new(std::iter::once(pattern)),
    }
}

/// Whether the pattern takes every value: `_`, a name, or a tuple or slice of these.
fn catches_all(pattern: &syn::Pat) -> bool {
    match pattern {
        syn::Pat::Wild(_) | syn::Pat::Rest(_) => true,
        syn::Pat::Ident(it) => {
            it.subpat.as_ref().is_none_or(|(_, inner)| catches_all(inner))
                && it.ident.to_string().starts_with(|c: char| c.is_lowercase() || c == '_')
        }
        syn::Pat::Tuple(it) => it.elems.iter().all(catches_all),
        syn::Pat::Slice(it) => it.elems.iter().all(catches_all),
        syn::Pat::Paren(it) => catches_all(&it.pat),
        syn::Pat::Reference(it) => catches_all(&it.pat),
        syn::Pat::Or(it) => it.cases.iter().any(catches_all),
        _ => false,
    }
}

fn is_for_tests(attribute: &syn::Attribute) -> bool {
    let is_test = |meta: &syn::MetaList| meta.tokens.to_string() == "test";
    attribute.path().is_ident("test")
        || attribute.path().is_ident("cfg") && attribute.meta.require_list().is_ok_and(is_test)
}

fn makes_exception(attribute: &syn::Attribute) -> bool {
    let level = attribute.path();
    (level.is_ident("allow") || level.is_ident("expect"))
        && attribute.meta.require_list().is_ok_and(|list| {
            let text = list.tokens.to_string();
            text.contains(LINT) && text.contains("reason")
        })
}

impl<'a> Visit<'a> for Finder {
    fn visit_file(&mut self, it: &'a syn::File) {
        self.with(&it.attrs, |this| syn::visit::visit_file(this, it));
    }

    fn visit_item(&mut self, it: &'a syn::Item) {
        let attributes: &[syn::Attribute] = match it {
            syn::Item::Fn(it) => &it.attrs,
            syn::Item::Impl(it) => &it.attrs,
            syn::Item::Mod(it) => &it.attrs,
            syn::Item::Trait(it) => &it.attrs,
            _ => &[],
        };
        self.with(attributes, |this| syn::visit::visit_item(this, it));
    }

    fn visit_impl_item_fn(&mut self, it: &'a syn::ImplItemFn) {
        self.with(&it.attrs, |this| syn::visit::visit_impl_item_fn(this, it));
    }

    fn visit_item_impl(&mut self, it: &'a syn::ItemImpl) {
        let name = match &*it.self_ty {
            syn::Type::Path(path) => path.path.segments.last().map(|s| s.ident.to_string()),
            _ => None,
        };
        self.selves.push(name.unwrap_or_default());
        syn::visit::visit_item_impl(self, it);
        self.selves.pop();
    }

    fn visit_use_rename(&mut self, it: &'a syn::UseRename) {
        self.renamed.insert(it.rename.to_string(), it.ident.to_string());
    }

    fn visit_expr_match(&mut self, it: &'a syn::ExprMatch) {
        self.with(&it.attrs, |this| {
            let patterns: Vec<&syn::Pat> = it.arms.iter().map(|arm| &arm.pat).collect();
            let mut names = Vec::new();
            patterns.iter().for_each(|pattern| this.names(pattern, &mut names));
            names.sort_unstable();
            names.dedup();
            let mut arms = it.arms.iter().filter(|arm| arm.guard.is_none());
            let caught = arms.find(|arm| this.takes_all(&arm.pat, &patterns));
            if let (Some(caught), 0, false) = (caught, this.excepted, names.is_empty()) {
                let line = caught.fat_arrow_token.spans[0].start().line;
                this.found.push((line, names.join(", ")));
            }
            syn::visit::visit_expr_match(this, it);
        });
    }

    /// Looks into the arguments of `vec!`, `format!`, `assert!` and the like.
    fn visit_macro(&mut self, it: &'a syn::Macro) {
        let list = syn::punctuated::Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated;
        if let Ok(arguments) = list.parse2(it.tokens.clone()) {
            // The finder keeps nothing of what it walks through.
            let mut inner = Finder {
                renamed: self.renamed.clone(),
                selves: self.selves.clone(),
                excepted: self.excepted,
                found: Vec::new(),
            };
            arguments.iter().for_each(|argument| inner.visit_expr(argument));
            self.found.append(&mut inner.found);
        }
    }
}

/// Every source file of the workspace that is no test and no benchmark.
fn sources(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            if !["target", "tests", "benches", ".git"].contains(&name) {
                sources(&path, into);
            }
        } else if name.ends_with(".rs") && name != "tests.rs" {
            into.push(path);
        }
    }
}

#[test]
fn no_arm_takes_operations_that_do_not_exist_yet() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).canonicalize().unwrap();
    let mut files = Vec::new();
    sources(&root, &mut files);
    files.sort();
    assert!(files.len() > 100, "the workspace has more sources than {}", files.len());
    let mut wrong = Vec::new();
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let place = path.strip_prefix(&root).unwrap().display();
        for (line, types) in Finder::file(&text) {
            wrong.push(format!("{place}:{line}: a catch-all arm in a match on {types}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\nSuch an arm takes a new variant in silence. List the variants, or, if the arm is right for whatever comes, \
         write #[allow(clippy::{LINT}, reason = \"…\")] on the match or its function.",
        wrong.join("\n")
    );
}

#[test]
fn catch_all_arms_are_found_in_every_form() {
    let arms = |arms: &str| {
        let text = format!("use Relation as R; impl Sort {{ fn f() {{ match x {{ {arms} }} }} }}");
        Finder::file(&text).len()
    };
    for wrong in [
        "Op::Core(_) => 1, _ => 2",
        "R::Less { .. } => 1, other => other",
        "Self::Int => 1, Self::Bool | _ => 2",
        "(Term::Int(a), true) => a, (_, _) => 2",
        "&Regex::Empty => 1, &_ => 2",
        "[Sort::Int] => 1, [..] => 2",
        "Op::Str(StrOp::Len) => 1, Op::Str(_) => 2, Op::Core(_) => 3",
    ] {
        assert_eq!(arms(wrong), 1, "{wrong}");
    }
    for right in [
        "Sort::Int => 1, Sort::Bool => 2",
        "Some(x) => 1, _ => 2",
        "Op::Core(op) => op, Op::Str(op) => op",
        "Sort::Int => 1, _ if x => 2, Sort::Bool => 3",
    ] {
        assert_eq!(arms(right), 0, "{right}");
    }
    let excepted = "#[allow(clippy::wildcard_enum_match_arm, reason = \"all\")] fn f() { match x { Sort::Int => 1, _ => 2 } }";
    assert_eq!(Finder::file(excepted), []);
    assert_eq!(
        Finder::file(&excepted.replace(", reason = \"all\"", "")).len(),
        1,
        "an exception has a reason"
    );
}
