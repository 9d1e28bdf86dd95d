//! `index.html`: all of a run in one file that needs no network, no server and no file beside it.
//!
//! What was run, what is wrong and what the papers found stands in the page as markup, readable without a
//! script. Tables and plots that follow a filter are made by the page's own program (the files of
//! `reports/page`) from the data of `data`, which `block` compresses. No text of a run is ever read as markup
//! or as a program: here it is escaped, there it is only set as text, and the page's policy lets no other
//! script run than its own, by digest.

mod block;
mod data;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::dataset::Dataset;
use crate::document::{Block, Document};
use crate::html::{blocks, escape};
use crate::plot::Picture;

const STYLE: &str = include_str!("../../page/style.css");

/// In the order in which they use one another.
const PROGRAM: [&str; 9] = [
    include_str!("../../page/data.js"),
    include_str!("../../page/words.js"),
    include_str!("../../page/state.js"),
    include_str!("../../page/filter.js"),
    include_str!("../../page/numbers.js"),
    include_str!("../../page/plots.js"),
    include_str!("../../page/records.js"),
    include_str!("../../page/task.js"),
    include_str!("../../page/against.js"),
];
const MAIN: &str = include_str!("../../page/main.js");

/// A larger picture is not in the page, but beside it.
const LARGEST_PICTURE: usize = 200 << 10;

/// What a page is made of.
pub(crate) struct Page<'a> {
    pub(crate) dataset: &'a Dataset,
    /// Another run, to be compared with.
    pub(crate) other: Option<&'a Dataset>,
    /// What has to be said of the comparison.
    pub(crate) warnings: &'a [String],
    /// What stands above all else.
    pub(crate) first: &'a Document,
    /// Tables that no filter changes.
    pub(crate) rest: &'a Document,
    /// The pictures that documents name.
    pub(crate) pictures: &'a [&'a Picture],
}

impl Page<'_> {
    /// The file.
    pub(crate) fn html(&self) -> String {
        let program = format!("'use strict';\n(() => {{\n{}{MAIN}}})();\n", PROGRAM.concat());
        let data::Data { mut head, blocks: data } = data::data(self.dataset, self.other);
        head["blocks"] = data
            .iter()
            .map(|block| (block.name.to_owned(), block.contents.clone()))
            .collect::<serde_json::Map<_, _>>()
            .into();
        let digest = STANDARD.encode(Sha256::digest(program.as_bytes()));
        let title = escape(&format!("Results of {}", self.dataset.run.name));
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; \
             script-src 'sha256-{digest}'\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#app\">To the records</a>\n<main>\n"
        );
        let picture = |name: &str| self.picture(name);
        out.push_str(&format!("<div class=\"top\"><h1>{title}</h1>{THEME}</div>\n"));
        // The title of the document is that of the page.
        let is_title = |block: &&Block| matches!(block, Block::Heading(1, _));
        out.push_str(&blocks(self.first.blocks.iter().filter(|block| !is_title(block)), &picture));
        if !self.warnings.is_empty() {
            let warning = Block::Alarm(
                "The two runs were not made under the same conditions".to_owned(),
                self.warnings.to_vec(),
            );
            out.push_str(&blocks([&warning], &picture));
        }
        out.push_str(APP);
        out.push_str(&self.rest(&picture));
        out.push_str("</main>\n<dialog id=\"task\" aria-labelledby=\"task-title\"></dialog>\n<p id=\"said\" class=\"skip\" aria-live=\"polite\"></p>\n");
        out.push_str(&format!("<script type=\"application/json\" id=\"head\">{}</script>\n", inside(&head)));
        for block in &data {
            out.push_str("<script type=\"text/plain\" id=\"block-");
            out.push_str(block.name);
            out.push_str("\">");
            out.push_str(&block.text);
            out.push_str("</script>\n");
        }
        out.push_str("<script>");
        out.push_str(&program);
        out.push_str("</script>\n</body>\n</html>\n");
        out
    }

    /// Tables that no filter changes, each under its title, closed.
    fn rest(&self, picture: &dyn Fn(&str) -> Option<String>) -> String {
        let mut out = String::new();
        let mut sections = self.rest.blocks.chunk_by(|_, next| !matches!(next, Block::Heading(2, _)));
        let first = sections.next();
        if first.is_some() {
            out.push_str("<h2>Tables of the whole run</h2>\n<p>They do not follow the filter. Each is in <code>tables/</code> too, as CSV with exact figures.</p>\n");
        }
        for section in first.into_iter().chain(sections) {
            let (title, content) = match section {
                [Block::Heading(_, title), content @ ..] => (title.as_str(), content),
                content => ("More", content),
            };
            out.push_str(&format!("<details class=\"static\"><summary>{}</summary>\n", escape(title)));
            out.push_str(&blocks(content, picture));
            out.push_str("</details>\n");
        }
        out
    }

    /// A picture as an address that holds all of it; `None` of one that is too large.
    fn picture(&self, name: &str) -> Option<String> {
        let picture = self.pictures.iter().find(|picture| picture.name == name)?;
        (picture.svg.len() <= LARGEST_PICTURE)
            .then(|| format!("data:image/svg+xml;base64,{}", STANDARD.encode(&picture.svg)))
    }
}

/// JSON inside of a script: what could end the script, or begin a comment in it, is written as an escape.
fn inside(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// How bright the page is.
const THEME: &str = "<label id=\"theme-field\" class=\"field\">Theme <select id=\"theme\"><option value=\"\">as the system</option>\
                     <option value=\"light\">light</option><option value=\"dark\">dark</option></select></label>";

/// The places that the program fills.
const APP: &str = r#"<p id="loading" role="status">Reading the records; this takes a script. Without one, the tables below and the files beside this page have all figures.</p>
<div id="app" hidden>
<h2 id="explore">Records</h2>
<ul id="left-out" class="notes"></ul>
<div id="filters" class="filters" role="search" aria-label="Which records"><span id="count" class="count" role="status"></span></div>
<h3>Strategies</h3>
<div id="strategies-table" class="scroll"></div>
<p class="notes">Times are of correct verdicts alone; repeats count once, by their median. PAR-2 counts what is not solved as twice the limit. Virtual best: on each task the fastest. The titles of columns sort.</p>
<h3>Strategies by family</h3>
<div id="matrix-controls" class="controls"></div>
<div id="matrix" class="scroll medium" tabindex="0" role="region" aria-label="Strategies by family"></div>
<p id="matrix-note" class="notes"></p>
<h3 id="plots">Plots</h3>
<div class="figures">
<figure><h3>Solved within a time</h3><canvas id="within-plot" role="img" aria-label="How many tasks each strategy solves within a time; the table of plotted figures below has quantiles"></canvas><figcaption class="legend"></figcaption></figure>
<figure><h3>Sorted times</h3><canvas id="sorted-plot" role="img" aria-label="The times of each strategy from the least to the most; the table of plotted figures below has quantiles"></canvas><figcaption class="legend"></figcaption></figure>
<figure><h3>Two strategies, task by task</h3><div id="scatter-controls" class="controls"></div><canvas id="scatter-plot" tabindex="0" role="img"></canvas><figcaption><p id="scatter-words"></p><p id="scatter-point" class="point"></p></figcaption></figure>
<figure><h3>Spread of times</h3><canvas id="box-plot" role="img" aria-label="Spread of the times of each strategy; the table of plotted figures below has quantiles"></canvas><figcaption>Boxes have the middle half of what each strategy solved, with its median; lines reach from 5 % to 95 %. They are of different tasks where strategies solve different ones.</figcaption></figure>
</div>
<details><summary>The plotted figures as a table</summary><div id="plot-figures" class="scroll"></div></details>
<div id="against-place"></div>
<h3 id="all-records">All records</h3>
<div id="records-controls" class="controls"></div>
<div id="records-area"></div>
<p class="notes">A row opens its task. Figures are rounded; exact ones are in <a href="results.csv">results.csv</a>, and all that was recorded in <a href="records.jsonl">records.jsonl</a>, beside this page. Printed are the first 200 rows.</p>
</div>
"#;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn no_name_ends_the_script() {
        let text = inside(&json!({ "name": "</script><!-- & <script>" }));
        assert!(!text.contains(['<', '>', '&']), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap()["name"], "</script><!-- & <script>");
    }

    #[test]
    fn the_program_is_small() {
        let size = PROGRAM.concat().len() + MAIN.len() + STYLE.len();
        assert!(size < 200 << 10, "{size} bytes");
        // It sets text as text, and asks nobody for anything.
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "fetch(",
            "XMLHttp",
            "import(",
        ] {
            assert!(!PROGRAM.concat().contains(word) && !MAIN.contains(word), "{word}");
        }
    }
}
