//! A piece of a script as people wrote it, for messages.

/// The term or command that starts at byte `offset`, on one line and cut after `most` characters. Cost:
/// linear in what is shown.
pub fn excerpt(text: &[u8], offset: usize, most: usize) -> String {
    // At most four bytes a character, and as much again for white space and comments, which are passed over.
    let end = text.len().min(offset.saturating_add(8 * most + 8));
    let text = String::from_utf8_lossy(text.get(offset..end).unwrap_or_default());
    let mut out = String::new();
    let mut length = 0;
    let mut depth = 0_usize;
    // What a quotation ends with, while inside one.
    let mut quoted = None;
    let mut comment = false;
    for c in text.chars() {
        if length == most {
            out.push('…');
            break;
        }
        if comment {
            comment = c != '\n';
            continue;
        }
        match (quoted, c) {
            (Some(end), _) => {
                if c == end {
                    quoted = None;
                }
            }
            (None, '"' | '|') => quoted = Some(c),
            (None, ';') => {
                comment = true;
                continue;
            }
            (None, '(') => depth += 1,
            (None, ')') if depth == 0 => break,
            (None, ')') => depth -= 1,
            (None, _) if c.is_whitespace() => {
                if depth == 0 {
                    break;
                }
                if !out.ends_with([' ', '(']) {
                    out.push(' ');
                    length += 1;
                }
                continue;
            }
            (None, _) => {}
        }
        out.push(if c.is_control() { '�' } else { c });
        length += 1;
        if c == ')' && depth == 0 && quoted.is_none() {
            break;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_are_cut_out() {
        let text = b"(assert (= x \")\"))\n(assert (or a ; no )\n   (not b)))\n(assert c)\n";
        let at =
            |what: &str, most| excerpt(text, std::str::from_utf8(text).unwrap().find(what).unwrap(), most);
        assert_eq!(at("(= x", 80), "(= x \")\")");
        assert_eq!(at("(or", 80), "(or a (not b))");
        assert_eq!(at("(or", 5), "(or a…");
        assert_eq!(at("c)", 80), "c");
        assert_eq!(excerpt(text, 1000, 80), "");
    }
}
