//! Path trees: the branching tree of a program as a script.
//!
//! A symbolic executor asks one question at each branch it takes. Written down, that is a script in which
//! `push` opens a node, the node's own conditions are asserted, one `check-sat` asks whether the path is
//! still feasible, the children follow, and `pop` closes it. What the executor knows and SMT-LIB does not is
//! said with `set-info`:
//!
//! - `(set-info :path-tree "NAME")`, before any `push`: this script is a path tree. A script without it is
//!   none, however it pushes and pops.
//! - `(set-info :path-kind KIND)`, in a node, before its `check-sat`: `inner` for a branch on the way, `leaf`
//!   for the end of a path, `exception` for the end of a path that throws. Without it a node with children is
//!   inner and one without is a leaf.
//! - `(set-info :path-name "NAME")`, in a node, before its `check-sat`: what reports call it.
//!
//! Invariants of a [`PathTree`]: its nodes are in the order of the script's queries, one for each; a parent
//! comes before its children; ends of paths have no children. A node's problem is its parent's and more, so a
//! node below an infeasible one is infeasible.

use harness_theory::ScriptDialect;

use crate::dialect;
use crate::lex::{Kind, Tokens};
use crate::{Position, ReadError};

/// What stands at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NodeKind {
    /// A branch on the way.
    Inner,
    /// The end of a path.
    Leaf,
    /// The end of a path that throws.
    Exception,
}

impl NodeKind {
    /// As it is written.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Inner => "inner",
            Self::Leaf => "leaf",
            Self::Exception => "exception",
        }
    }

    /// Whether a path ends here.
    pub const fn is_end(self) -> bool {
        matches!(self, Self::Leaf | Self::Exception)
    }
}

/// A node: one `check-sat`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its parent's place among the nodes; none for a node that no other node encloses.
    pub parent: Option<usize>,
    /// What stands here.
    pub kind: NodeKind,
    /// What reports call it; empty where the script gives no name.
    pub name: String,
    /// How many nodes enclose it.
    pub depth: usize,
    /// Where its `check-sat` is.
    pub position: Position,
}

/// The branching tree of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathTree {
    /// What the script calls it.
    pub name: String,
    /// One for each query of the script, in order: the node's place is the query's.
    pub nodes: Vec<Node>,
}

/// The keywords that are read here.
const TREE: &[u8] = b":path-tree";
const KIND: &[u8] = b":path-kind";
const NAME: &[u8] = b":path-name";

/// Reads the tree that a script spells, if it is marked as one. Only the structure is looked at:
/// [`crate::read`] says whether the script is legal otherwise. Errors name the line at which a node was
/// opened, or the command that does not belong. Cost: linear in the text.
///
/// ```
/// let script = br#"(set-info :path-tree "sign")
/// (declare-const s String)
/// (push 1)(assert (str.prefixof "-" s))(check-sat)
///   (push 1)(set-info :path-kind exception)(assert (= s "-"))(check-sat)(pop 1)
/// (pop 1)
/// (push 1)(set-info :path-name "no sign")(assert (not (str.prefixof "-" s)))(check-sat)(pop 1)
/// "#;
/// let tree = harness_smtlib::tree::read(script).unwrap().unwrap();
/// let parents: Vec<_> = tree.nodes.iter().map(|n| (n.parent, n.kind.name())).collect();
/// assert_eq!(parents, [(None, "inner"), (Some(0), "exception"), (None, "leaf")]);
/// ```
pub fn read(text: &[u8]) -> Result<Option<PathTree>, ReadError> {
    let mut tokens = Tokens::read(text, false);
    if !matches!(&tokens, Ok(tokens) if dialect::of(tokens) == ScriptDialect::Current) {
        tokens = Tokens::read(text, true).or(tokens);
    }
    let tokens = tokens?;
    let Some((mark, name)) = mark(&tokens)? else { return Ok(None) };
    let mut reader = Reader {
        tokens: &tokens,
        open: vec![Open { at: mark, kind: None, name: None, node: None, children: 0 }],
        tree: PathTree { name, nodes: Vec::new() },
    };
    let mut at = 0;
    while at < tokens.len() {
        if !reader.command(at)? {
            break;
        }
        at = tokens.after(at);
    }
    reader.finish().map(Some)
}

/// The arguments of the command at `at` if it is `set-info`.
fn info<'t>(tokens: &Tokens<'t>, at: usize) -> Option<(&'t [u8], Vec<usize>)> {
    if tokens.kind(at) != Kind::Open || tokens.bytes(at + 1) != b"set-info" {
        return None;
    }
    let mut arguments = tokens.elements(at).skip(1);
    let key = arguments.next()?;
    Some((tokens.bytes(key), arguments.collect()))
}

/// Where the script is marked as a tree, and its name.
fn mark(tokens: &Tokens<'_>) -> Result<Option<(usize, String)>, ReadError> {
    let mut found = None;
    let mut at = 0;
    let mut pushed = false;
    while at < tokens.len() {
        if let Some((TREE, arguments)) = info(tokens, at) {
            if found.is_some() {
                return Err(tokens.error(at, "a script is one path tree: ':path-tree' stands here again"));
            }
            if pushed {
                return Err(tokens.error(at, "':path-tree' must stand before the first 'push'"));
            }
            found = Some((at, text(tokens, at, &arguments)?));
        }
        pushed |= tokens.kind(at) == Kind::Open && tokens.bytes(at + 1) == b"push";
        at = tokens.after(at);
    }
    Ok(found)
}

/// The one argument of an annotation: a string or a symbol.
fn text(tokens: &Tokens<'_>, at: usize, arguments: &[usize]) -> Result<String, ReadError> {
    match arguments {
        [one] if matches!(tokens.kind(*one), Kind::String | Kind::Symbol) => {
            Ok(tokens.text(*one)?.replace("\"\"", "\""))
        }
        _ => Err(tokens.error(at, "this annotation of a path tree takes one string or symbol")),
    }
}

/// A node that is not closed yet; the first stands for the script itself, whose node there need not be.
struct Open {
    /// The token that opened it.
    at: usize,
    kind: Option<NodeKind>,
    name: Option<String>,
    node: Option<usize>,
    children: usize,
}

struct Reader<'t, 'a> {
    tokens: &'t Tokens<'a>,
    /// Never empty.
    open: Vec<Open>,
    tree: PathTree,
}

impl Reader<'_, '_> {
    /// Looks at the command at `at`; `false` after `exit`.
    fn command(&mut self, at: usize) -> Result<bool, ReadError> {
        let tokens = self.tokens;
        if let Some((key, arguments)) = info(tokens, at) {
            match key {
                KIND => {
                    let kind = match text(tokens, at, &arguments)?.as_str() {
                        "inner" => NodeKind::Inner,
                        "leaf" => NodeKind::Leaf,
                        "exception" => NodeKind::Exception,
                        _ => return Err(tokens.error(at, "a path kind is inner, leaf or exception")),
                    };
                    let top = self.top(at, "':path-kind'")?;
                    if top.kind.replace(kind).is_some() {
                        return Err(tokens.error(at, "this node has a ':path-kind' already"));
                    }
                }
                NAME => {
                    let name = text(tokens, at, &arguments)?;
                    if self.top(at, "':path-name'")?.name.replace(name).is_some() {
                        return Err(tokens.error(at, "this node has a ':path-name' already"));
                    }
                }
                _ => {}
            }
            return Ok(true);
        }
        match tokens.bytes(at + 1) {
            b"push" => {
                self.one_level(at, "push")?;
                if let [_, .., top] = self.open.as_slice()
                    && top.node.is_none()
                {
                    return Err(self.no_check(top.at, "a node is opened inside it"));
                }
                if let Some(top) = self.open.last_mut() {
                    top.children += 1;
                }
                self.open.push(Open { at, kind: None, name: None, node: None, children: 0 });
            }
            b"pop" => {
                for _ in 0..self.levels(at)? {
                    if self.open.len() < 2 {
                        return Err(tokens.error(at, "'pop' without a 'push' before it"));
                    }
                    if let Some(closed) = self.open.pop() {
                        self.close(&closed)?;
                    }
                }
            }
            b"check-sat" => self.node(at)?,
            b"check-sat-assuming" | b"reset" | b"reset-assertions" => {
                let name = tokens.text(at + 1)?;
                return Err(tokens.error(at, format!("'{name}' does not belong into a path tree")));
            }
            b"assert" | b"declare-const" | b"declare-variable" | b"declare-fun" if self.has_node() => {
                let name = tokens.text(at + 1)?;
                let message =
                    format!("'{name}' after the 'check-sat' of its node: it would be asked of no node");
                return Err(tokens.error(at, message));
            }
            b"exit" => return Ok(false),
            _ => {}
        }
        Ok(true)
    }

    fn has_node(&self) -> bool {
        self.open.last().is_some_and(|top| top.node.is_some())
    }

    /// The node that is open, for an annotation.
    fn top(&mut self, at: usize, what: &str) -> Result<&mut Open, ReadError> {
        let tokens = self.tokens;
        match self.open.last_mut() {
            Some(top) if top.node.is_none() => Ok(top),
            _ => Err(tokens.error(at, format!("{what} must stand before the 'check-sat' of its node"))),
        }
    }

    /// How many levels a `push` or `pop` names.
    fn levels(&self, at: usize) -> Result<u32, ReadError> {
        match self.tokens.elements(at).nth(1) {
            None => Ok(1),
            Some(number) => {
                let value = self.tokens.text(number)?.parse();
                value.map_err(|_| self.tokens.error(number, "a small numeral must stand here"))
            }
        }
    }

    fn one_level(&self, at: usize, name: &str) -> Result<(), ReadError> {
        match self.levels(at)? {
            1 => Ok(()),
            n => Err(self.tokens.error(
                at,
                format!("'{name} {n}' in a path tree: each level is a node, so nodes are opened one by one"),
            )),
        }
    }

    fn node(&mut self, at: usize) -> Result<(), ReadError> {
        if self.has_node() {
            return Err(self.tokens.error(at, "a second 'check-sat' in this node of the path tree"));
        }
        let place = self.tree.nodes.len();
        let parent = self.open.iter().rev().find_map(|open| open.node);
        let depth = self.open.iter().filter(|open| open.node.is_some()).count();
        let position = self.tokens.position(at);
        let Some(top) = self.open.last_mut() else { return Ok(()) };
        if top.children > 0 {
            return Err(self.tokens.error(at, "a node's 'check-sat' must stand before its children"));
        }
        top.node = Some(place);
        let (kind, name) = (top.kind.unwrap_or(NodeKind::Leaf), top.name.clone().unwrap_or_default());
        self.tree.nodes.push(Node { parent, kind, name, depth, position });
        Ok(())
    }

    fn no_check(&self, at: usize, more: &str) -> ReadError {
        self.tokens.error(at, format!("the node that is opened here has no 'check-sat' before {more}"))
    }

    fn close(&mut self, closed: &Open) -> Result<(), ReadError> {
        let Some(place) = closed.node else { return Err(self.no_check(closed.at, "it is closed")) };
        self.settle(closed, place)
    }

    /// What kind of node it is, now that all its children are known.
    fn settle(&mut self, closed: &Open, place: usize) -> Result<(), ReadError> {
        let kind = match closed.kind {
            Some(kind) if kind.is_end() && closed.children > 0 => {
                let message = format!(
                    "the node that is opened here is marked as '{}', the end of a path, and has nodes below it",
                    kind.name()
                );
                return Err(self.tokens.error(closed.at, message));
            }
            Some(kind) => kind,
            None if closed.children > 0 => NodeKind::Inner,
            None => NodeKind::Leaf,
        };
        if let Some(node) = self.tree.nodes.get_mut(place) {
            node.kind = kind;
        }
        Ok(())
    }

    fn finish(mut self) -> Result<PathTree, ReadError> {
        if self.open.len() > 1
            && let Some(open) = self.open.last()
        {
            return Err(self.tokens.error(open.at, "this 'push' is never popped"));
        }
        if let Some(root) = self.open.pop() {
            if let Some(place) = root.node {
                self.settle(&root, place)?;
            } else if root.kind.is_some() || root.name.is_some() {
                return Err(self.no_check(root.at, "the script ends, though it is annotated as a node"));
            }
            if self.tree.nodes.is_empty() {
                return Err(self.tokens.error(root.at, "a path tree without a 'check-sat'"));
            }
        }
        Ok(self.tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(body: &str) -> String {
        let text = format!("(set-info :path-tree t)\n{body}");
        read(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn a_script_without_the_mark_is_no_tree() {
        assert_eq!(read(b"(push 1)(check-sat)(check-sat)"), Ok(None));
        assert_eq!(read(b"(set-info :status sat)(check-sat)"), Ok(None));
    }

    #[test]
    fn nodes_are_in_the_order_of_the_queries() {
        let text = br#"(set-info :path-tree "a ""b""")(set-info :path-name root)(check-sat)
            (push)(check-sat)(push 1)(set-info :path-kind leaf)(set-info :path-name "E1")(check-sat)(pop 1)
            (push 1)(set-info :path-kind inner)(check-sat)(pop 2)
            (push 1)(set-info :path-kind exception)(check-sat)(pop 1)(exit)(check-sat)"#;
        let tree = read(text).unwrap().unwrap();
        assert_eq!(tree.name, "a \"b\"");
        let nodes: Vec<_> = tree.nodes.iter().map(|n| (n.parent, n.kind, n.name.as_str(), n.depth)).collect();
        assert_eq!(
            nodes,
            [
                (None, NodeKind::Inner, "root", 0),
                (Some(0), NodeKind::Inner, "", 1),
                (Some(1), NodeKind::Leaf, "E1", 2),
                (Some(1), NodeKind::Inner, "", 2),
                (Some(0), NodeKind::Exception, "", 1),
            ]
        );
        let script = crate::read(text).unwrap();
        let places: Vec<_> = script.queries.iter().map(|q| q.position).collect();
        assert_eq!(places, tree.nodes.iter().map(|n| n.position).collect::<Vec<_>>());
    }

    #[test]
    fn what_is_no_tree_is_refused_with_its_line() {
        let cases = [
            (
                "(push 1)\n(check-sat)\n(push 1)(check-sat)(pop 1)",
                "line 2 column 1: this 'push' is never popped",
            ),
            (
                "(push 1)(pop 1)",
                "line 2 column 1: the node that is opened here has no 'check-sat' before it is",
            ),
            ("(push 1)\n(push 1)(check-sat)(pop 2)", "line 2 column 1: the node that is opened here has no"),
            ("(push 1)(check-sat)\n(check-sat)(pop 1)", "line 3 column 1: a second 'check-sat' in this node"),
            ("(push 2)(check-sat)(pop 2)", "line 2 column 1: 'push 2' in a path tree"),
            ("(check-sat)(pop 1)", "line 2 column 12: 'pop' without a 'push'"),
            (
                "(push 1)(check-sat)(pop 1)(check-sat)",
                "line 2 column 27: a node's 'check-sat' must stand before",
            ),
            ("(check-sat)(assert true)", "line 2 column 12: 'assert' after the 'check-sat'"),
            ("(check-sat)(set-info :path-name x)", "line 2 column 12: ':path-name' must stand before"),
            (
                "(set-info :path-kind end)(check-sat)",
                "line 2 column 1: a path kind is inner, leaf or exception",
            ),
            ("(set-info :path-kind leaf)(check-sat)(push 1)(check-sat)(pop 1)", "marked as 'leaf', the end"),
            ("(check-sat-assuming (a))", "'check-sat-assuming' does not belong"),
            ("(reset)(check-sat)", "'reset' does not belong"),
            ("(set-info :path-tree u)(check-sat)", "one path tree"),
            ("(declare-const s String)", "a path tree without a 'check-sat'"),
            ("(check-sat", "line 2"),
        ];
        for (body, wanted) in cases {
            let message = refused(body);
            assert!(message.contains(wanted), "{body}: {message}");
        }
        let late = read(b"(push 1)(check-sat)(pop 1)(set-info :path-tree t)").unwrap_err().to_string();
        assert!(late.contains("before the first 'push'"), "{late}");
    }
}
