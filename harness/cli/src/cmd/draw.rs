//! `harness draw FILE --out PICTURE`

use std::fs;

use anyhow::{Context as _, anyhow, bail};
use backends::picture::{self, Format};
use reports::plot::raster::Raster;

use crate::args::DrawArgs;
use crate::exit::Exit;
use crate::out;
use crate::problem::{self, Text, Unsupported};

/// Draws the string graph of a problem; the ending of the picture's name says how.
pub fn run(args: &DrawArgs) -> anyhow::Result<Exit> {
    let file = match problem::read(&args.file, Text::of(args.alphabet), Unsupported::Error)? {
        Ok(file) => file,
        Err(exit) => return Ok(exit),
    };
    let queries = &file.script.queries;
    let index = usize::try_from(args.query).unwrap_or(usize::MAX).saturating_sub(1);
    let Some(query) = queries.get(index) else {
        bail!("{}: there is no check-sat number {}, only {}", args.file.display(), args.query, queries.len());
    };
    let draw = |format| {
        picture::string_graph(&query.problem, args.alphabet, format)
            .map_err(|what| anyhow!("{}: cannot be drawn as a string graph: {what}", args.file.display()))
    };
    let ending = args.out.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let bytes = match ending.as_deref() {
        Some("svg") => draw(Format::Svg)?.into_bytes(),
        Some("dot" | "gv") => draw(Format::Dot)?.into_bytes(),
        Some("png") => Raster::default().png(&draw(Format::Svg)?).map_err(|why| anyhow!(why))?,
        _ => bail!("{}: a picture's name ends in .svg, .png or .dot", args.out.display()),
    };
    fs::write(&args.out, bytes).with_context(|| format!("{}: cannot write", args.out.display()))?;
    out::print(format_args!("{}\n", args.out.display()))?;
    Ok(Exit::Fine)
}
