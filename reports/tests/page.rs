//! `index.html` in a real browser: what people do with it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::needless_pass_by_value,
    reason = "helpers of tests fail like tests, and say when they are skipped"
)]

#[path = "support/browser.rs"]
mod browser;
mod support;

use std::fs;
use std::path::{Path, PathBuf};

use browser::Browser;
use harness_model::{Alphabet, OperationKind, Question, Status, Task, Verdict};
use reports::{Against, Dataset, write_against};
use support::{large, row, run_info, task};

const MARKUP: &str =
    "<img src=x onerror=\"document.title='broken'\">&amp;</script><script>document.title='broken'</script>";

/// A run with names that are markup, a wrong verdict, a script; `slower` makes one of the strategies slower.
fn dataset(slower: f64) -> Dataset {
    let script = "(set-logic QF_S)\n(declare-const x String)\n(assert (= (str.len x) 3))\n(check-sat) ; <b>not bold</b>";
    let mut tasks: Vec<Task> =
        (0..30).map(|n| task(Alphabet::Ascii, OperationKind::Product, &format!("A{n}"), "B")).collect();
    tasks.push(Task {
        parameters: Default::default(),
        id: format!("scripts/{MARKUP}"),
        family: MARKUP.to_owned(),
        question: Question::of_script(Alphabet::Unicode, script, 1),
        expected: None,
    });
    let (one, two) = ("sfa-bdd-lazy", "classes-lazy");
    let mut rows = Vec::new();
    for (n, task) in (1_u32..).zip(&tasks) {
        let time = 0.002 * f64::from(n);
        let solved = if task.question.as_script().is_some() { Verdict::Sat } else { Verdict::Nonempty };
        let status = if n == 7 { Status::Timeout } else { Status::Answered(solved) };
        rows.push(row(task, one, status, time));
        let status = if n == 9 { Status::Wrong } else { Status::Answered(solved) };
        rows.push(row(task, two, status, time * 1.5 * slower));
    }
    for row in &mut rows {
        row.judgement.witness = Some(MARKUP.to_owned());
        row.record.counters = [("states".to_owned(), u64::from(row.record.key.repeat) + 41)].into();
    }
    let mut run = run_info(MARKUP, &[one, two], tasks.len() as u64, rows.len() as u64);
    run.sampling = None;
    Dataset::new(run, tasks, rows, Vec::new(), vec![MARKUP.to_owned()])
}

fn page(dataset: &Dataset, against: Option<Against<'_>>) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    write_against(dataset, against, dir.path()).unwrap();
    let file = dir.path().join("index.html");
    (dir, file)
}

fn count(browser: &mut Browser) -> String {
    browser.text("#count")
}

/// Chooses a value of a list as somebody with a mouse does.
fn choose(browser: &mut Browser, list: &str, value: &str) {
    browser.click(&format!("details[data-list={list}] summary"), None);
    browser.click(&format!("details[data-list={list}] input[value='{value}']"), None);
    browser.press("Escape");
}

#[test]
fn filters_change_every_number_and_are_in_the_address() {
    let Some(mut browser) = Browser::start() else { return };
    let (_dir, file) = page(&dataset(1.0), None);
    browser.open(&file, "");
    assert_eq!(count(&mut browser), "All 62 records, 31 tasks");
    let cells = "[...document.querySelectorAll('#strategies-table tbody tr:first-child td')].map(td => td.textContent).slice(0, 2).join()";
    assert_eq!(browser.value(cells), "31,30");

    choose(&mut browser, "status", "timeout");
    assert_eq!(count(&mut browser), "1 of 62 records, 1 task");
    assert_eq!(browser.value(cells), "1,0");
    assert_eq!(browser.value("location.hash"), "#status=timeout");
    browser.click("#reset", None);
    assert_eq!(count(&mut browser), "All 62 records, 31 tasks");
    assert_eq!(browser.value("location.hash"), "");

    choose(&mut browser, "op", "str.len");
    assert_eq!(count(&mut browser), "2 of 62 records, 1 task");
    browser.click("#reset", None);
    // Text is looked for in names and in questions.
    browser.click("#text", None);
    browser.write("NOT BOLD");
    browser.wait_for("document.getElementById('count').textContent === '2 of 62 records, 1 task'");
    browser.click("#reset", None);
    browser.click("#min", None);
    browser.write("1");
    browser.wait_for("document.getElementById('count').textContent === '2 of 62 records, 1 task'");

    // A link shows the same view.
    let hash = browser.value("location.hash");
    browser.open(
        &file,
        &format!("{}&strategy=classes-lazy&sort=solve&down=1&measure=cpu", hash.as_str().unwrap()),
    );
    assert_eq!(count(&mut browser), "1 of 62 records, 1 task");
    assert_eq!(browser.value("document.getElementById('measure').value"), "cpu");
    assert!(browser.text("th[aria-sort=descending]").starts_with("solve"));
    // What nobody knows is passed over.
    browser.open(&file, "#status=%&nonsense=1&measure=x&sort=y&task=none&x=none");
    assert_eq!(count(&mut browser), "All 62 records, 31 tasks");
}

#[test]
fn columns_sort_up_and_down_and_what_has_no_time_comes_last() {
    let Some(mut browser) = Browser::start() else { return };
    let (_dir, file) = page(&dataset(1.0), None);
    browser.open(&file, "");
    let cell = |browser: &mut Browser, row: usize, name: &str| {
        let place = browser.value(&format!(
            "[...document.querySelectorAll('.records th')].findIndex(th => th.textContent.startsWith('{name}')) + 1"
        ));
        browser.text(&format!(".records tr[data-place='{row}'] td:nth-child({place})"))
    };
    browser.click(".records [data-sort=solve]", None);
    assert_eq!(cell(&mut browser, 0, "solve"), "2.00 ms");
    browser.click(".records [data-sort=solve]", None);
    assert_eq!(cell(&mut browser, 0, "solve"), "93.0 ms");
    // At the end of either order.
    browser.value("document.querySelector('.tall').scrollTop = 1e9");
    browser.wait_for("document.querySelector(\".records tr[data-place='61']\") !== null");
    assert_eq!(cell(&mut browser, 61, "solve"), "");
    browser.click("#strategies-table [data-column=total]", None);
    assert_eq!(browser.text("#strategies-table tbody th"), "classes-lazy");
}

#[test]
fn a_point_opens_its_task_with_answers_and_the_command_that_asks_again() {
    let Some(mut browser) = Browser::start() else { return };
    let (_dir, file) = page(&dataset(1.0), None);
    browser.open(&file, "#op=str.len");
    // The only point is looked for from left to right, as an eye does.
    let place = browser.value(
        "(() => {
           const canvas = document.getElementById('scatter-plot');
           const box = canvas.getBoundingClientRect();
           for (let x = 80; x < box.width; x += 8) {
             for (let y = 8; y < box.height; y += 8) {
               canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: box.left + x, clientY: box.top + y }));
               if (document.getElementById('scatter-point').textContent.startsWith('scripts/')) return [x, y];
             }
           }
           return null;
         })()",
    );
    let side = |at: usize| place[at].as_f64().unwrap();
    browser.click("#scatter-plot", Some((side(0), side(1))));
    browser.wait_for("document.getElementById('task').open");
    assert_eq!(browser.text("#task-title"), format!("scripts/{MARKUP}"));
    assert!(browser.text("#task pre.question").contains("(assert (= (str.len x) 3))"));
    assert!(browser.value("location.hash").as_str().unwrap().contains("task=scripts/"));
    let answers = browser.text("#task .answers");
    for told in [
        "sfa-bdd-lazy",
        "sat",
        "states41",
        "phase prepare",
        "harness task show . 'scripts/",
        "--strategy classes-lazy | harness worker",
    ] {
        assert!(answers.contains(told), "{told}: {answers}");
    }
    browser.press("Escape");
    browser.wait_for("!document.getElementById('task').open && !location.hash.includes('task=')");
}

#[test]
fn names_with_markup_stay_text() {
    let Some(mut browser) = Browser::start() else { return };
    let dataset = dataset(1.0);
    let against = dataset.clone();
    let warnings = [MARKUP.to_owned()];
    let (_dir, file) = page(&dataset, Some(Against { dataset: &against, warnings: &warnings }));
    browser.open(&file, "");
    let task = format!("scripts/{MARKUP}");
    let encoded = browser.value(&format!("encodeURIComponent({})", serde_json::json!(task)));
    browser.open(&file, &format!("#task={}", encoded.as_str().unwrap()));
    browser.wait_for("document.getElementById('task').open");
    assert_eq!(browser.value("document.title"), format!("Results of {MARKUP}"));
    assert_eq!(browser.value("document.querySelectorAll('img[src=x]').length"), 0);
    assert_eq!(
        browser.value("[...document.scripts].filter(s => !s.type || s.type === 'text/javascript').length"),
        1
    );
    // Nothing was asked of anybody.
    assert_eq!(
        browser.value(
            "performance.getEntriesByType('resource').filter(e => !e.name.startsWith('data:')).length"
        ),
        0
    );
}

#[test]
fn two_runs_are_compared_task_by_task_with_intervals() {
    let Some(mut browser) = Browser::start() else { return };
    let (now, then) = (dataset(2.0), dataset(1.0));
    let warnings = ["another processor".to_owned()];
    let (_dir, file) = page(&now, Some(Against { dataset: &then, warnings: &warnings }));
    browser.open(&file, "");
    assert!(
        browser.text(".alarm").contains("another processor")
            || browser.value("document.body.textContent.includes('another processor')") == true
    );
    let line = browser.value("[...document.querySelectorAll('#against table:first-of-type tbody tr')].map(tr => tr.textContent).find(text => text.startsWith('classes-lazy'))");
    assert!(line.as_str().unwrap().contains("2.00 × slower2.000 to 2.000"), "{line}");
    let same = browser.value("[...document.querySelectorAll('#against tbody tr')].map(tr => tr.textContent).find(text => text.startsWith('sfa-bdd-lazy'))");
    assert!(same.as_str().unwrap().contains("1.00 ×1.000 to 1.000"), "{same}");
    // The comparison follows the filter, and its tasks open.
    choose(&mut browser, "strategy", "sfa-bdd-lazy");
    assert_eq!(browser.value("document.querySelectorAll('#against .pairs tbody tr').length"), 0);
    browser.click("#reset", None);
    browser.click("#against .pairs button", None);
    browser.wait_for("document.getElementById('task').open");
}

#[test]
fn everything_is_reached_by_keyboard() {
    let Some(mut browser) = Browser::start() else { return };
    let (_dir, file) = page(&dataset(1.0), None);
    browser.open(&file, "");
    let focus =
        "document.activeElement?.closest('details.chooser')?.dataset.list ?? document.activeElement?.id";
    let tab_to = |browser: &mut Browser, what: &str| {
        for _ in 0..200 {
            browser.press("Tab");
            if browser.value(focus) == what {
                return;
            }
        }
        panic!("no Tab leads to {what}");
    };
    tab_to(&mut browser, "status");
    browser.press("Enter");
    browser.wait_for("document.querySelector('details[data-list=status]').open");
    browser.press("Tab");
    browser.press("Tab");
    browser.press(" ");
    assert_ne!(count(&mut browser), "All 62 records, 31 tasks");
    browser.press("Escape");
    browser.wait_for("!document.querySelector('details[data-list=status]').open");
    tab_to(&mut browser, "reset");
    browser.press("Enter");
    assert_eq!(count(&mut browser), "All 62 records, 31 tasks");
    tab_to(&mut browser, "scatter-plot");
    browser.press("ArrowRight");
    browser.press("ArrowRight");
    let point = browser.text("#scatter-point");
    assert_eq!(browser.text("#said"), point, "it is said to those who do not see it");
    browser.press("Enter");
    browser.wait_for("document.getElementById('task').open");
    assert!(point.starts_with(&browser.text("#task-title")), "{point}");
    browser.press("Escape");
    browser.wait_for("!document.getElementById('task').open");
    // Rows of the table: Down, Down, Enter.
    browser.value("document.querySelector('.tall').focus()");
    browser.press("ArrowDown");
    browser.press("ArrowDown");
    let said = browser.text("#said");
    browser.press("Enter");
    browser.wait_for("document.getElementById('task').open");
    assert!(said.starts_with(&browser.text("#task-title")), "{said}");
}

#[test]
fn it_is_printed_and_seen_in_light_and_dark() {
    let Some(mut browser) = Browser::start() else { return };
    let (_dir, file) = page(&large(1, 12, &[Alphabet::Ascii, Alphabet::Utf16], true), None);
    browser.open(&file, "");
    let paper = "getComputedStyle(document.body).backgroundColor";
    browser.prefer("light");
    assert_eq!(browser.value(paper), "rgb(255, 255, 255)");
    let light = browser.picture();
    browser.prefer("dark");
    assert_eq!(browser.value(paper), "rgb(20, 23, 26)");
    let dark = browser.picture();
    assert!(light != dark);
    assert!(browser.printed().starts_with(b"%PDF"));
    // To look at: PICTURES=DIR cargo test -p reports --test page
    if let Some(dir) = std::env::var_os("PICTURES") {
        let dir = Path::new(&dir);
        fs::create_dir_all(dir).unwrap();
        for scheme in ["light", "dark"] {
            browser.prefer(scheme);
            for (name, place) in [
                ("top", "body"),
                ("strategies", "#explore"),
                ("plots", "#plots"),
                ("records", "#all-records"),
            ] {
                browser.value(&format!("document.querySelector('{place}').scrollIntoView()"));
                fs::write(dir.join(format!("{name}-{scheme}.png")), browser.picture()).unwrap();
            }
        }
    }
}
