//! `harness export --format FORMAT DIR`

use harness_export::{Exported, Format};

use crate::args::{ExportArgs, ExportFormat};
use crate::exit::Exit;
use crate::{out, session};

/// Judges what is in the directory and writes it in a format of other tools.
pub fn run(args: &ExportArgs) -> anyhow::Result<Exit> {
    let format = match args.format {
        ExportFormat::Csv => Format::Csv,
        ExportFormat::Sqlite => Format::Sqlite,
        ExportFormat::Benchexec => Format::Benchexec,
        ExportFormat::Smtcomp => Format::Smtcomp,
        ExportFormat::Parquet => Format::Parquet,
    };
    let to = args.out.clone().unwrap_or_else(|| args.dir.join("export"));
    let judged = session::judged(&args.dir)?;
    let Exported { files, left_out } = harness_export::export(&judged.dataset, format, &to)?;
    for line in judged.dataset.notes.iter().chain(&left_out) {
        out::tell(format_args!("note: {}", out::line(line)));
    }
    let recorded = judged.dataset.rows().len() as u64;
    if recorded < judged.dataset.run.planned {
        out::tell(format_args!(
            "note: the run is incomplete, {recorded} of {} records are there",
            judged.dataset.run.planned
        ));
    }
    for file in files {
        out::print(format_args!("{}\n", file.display()))?;
    }
    // That the data could be exported is what is asked here; a wrong verdict is in it as such.
    if matches!(judged.exit, Exit::Wrong | Exit::InvalidModel) {
        out::tell("note: the run has wrong verdicts, disagreements or invalid models: see 'harness report'");
    }
    Ok(Exit::Fine)
}
