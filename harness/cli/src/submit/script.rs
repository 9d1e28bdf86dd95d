//! The scripts of the jobs: bash that people can read, submit and run by hand.
//!
//! A script says what it does by itself: absolute paths, and SLURM's options in its head. A shard's job
//! writes down when it began and how it ended; if the second is missing, it was killed.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::bail;

/// What the scripts are made of.
pub struct Scripts<'a> {
    /// Name of the study.
    pub name: &'a str,
    /// The program.
    pub program: &'a str,
    /// Path of the configuration, or its name.
    pub config: &'a str,
    /// The directory of the submission, absolute.
    pub dir: &'a Path,
    /// How many shards.
    pub shards: u32,
    /// Those of them that have records, such as `1-4`.
    pub array: &'a str,
    /// Workers of a shard.
    pub workers: u32,
    /// Memory limit of a record, in bytes.
    pub memory: u64,
    /// The limit of time of each record, where the command line has one.
    pub timeout: Option<&'a str>,
    /// What the user wants of SLURM: options as sbatch has them.
    pub wanted: &'a [String],
}

/// Memory of a job beside that of its records: the program that runs the workers, judges and reports.
const OWN_MEMORY: u64 = 1 << 30;

/// Memory of the job that merges.
const MERGE_MEMORY: u64 = 4 << 30;

/// How long before its limit of time a job is told to end, in seconds: a shard kills its records in flight,
/// and reports those that it has.
const NOTICE_S: u32 = 60;

impl Scripts<'_> {
    /// The script that makes one shard.
    ///
    /// # Errors
    ///
    /// When a path cannot stand in a script.
    pub fn job(&self) -> anyhow::Result<String> {
        let memory = u64::from(self.workers).saturating_mul(self.memory).saturating_add(OWN_MEMORY);
        let path = quoted(&self.dir.join("job.sh").to_string_lossy())?;
        let mut text = format!(
            "#!/bin/bash\n\
             # One shard of the study {name}, made by 'harness submit', which writes this file anew each time. By hand:\n\
             #   sbatch {path}                 all of its shards, on SLURM; --array=2,5-7 for some\n\
             #   bash {path} 3                 the third one, on this machine\n\
             # A shard that was stopped goes on where it was. merge.sh puts the shards together.\n",
            name = plain(self.name),
        );
        self.head(&mut text, "", self.workers, memory, "log/shard-%a-%A.txt")?;
        let _ = write!(
            text,
            "#SBATCH --array={array}\n\
             #SBATCH --requeue\n\
             #SBATCH --open-mode=append\n\
             #SBATCH --signal=B:USR1@{NOTICE_S}\n",
            array = self.array
        );
        self.wanted(&mut text);
        let mut options = vec!["--workers".to_owned(), self.workers.to_string()];
        if let Some(timeout) = self.timeout {
            options.extend(["--timeout".to_owned(), timeout.to_owned()]);
        }
        let _ = write!(
            text,
            r#"
program={program}
config={config}
dir={dir}
shards={shards}
options=({options})
shard=${{1:-${{SLURM_ARRAY_TASK_ID:?name a shard, such as: bash job.sh 1}}}}

# For 'harness status': when it began, and how it ended. A job without an end was killed.
state=$dir/state/$shard
job=${{SLURM_ARRAY_JOB_ID:+${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID}}
printf 'began %s %s %s\n' "${{job:--}}" "$(uname -n)" "$(date +%s)" >"$state"

"$program" compare "$config" --shard "$shard/$shards" --out "$dir/shards/$shard" --no-progress "${{options[@]}}" &
run=$!
# When its time is nearly over, SLURM signals this script alone, and the run stops in good order: what it has made is kept.
trap 'kill -TERM "$run"' USR1
# Who cancels the job signals all of its processes, and a second signal would end the run in the middle of its good order.
# In case that only this script was meant, it is passed on later.
trap '(sleep 5; kill -TERM "$run") 2>/dev/null &' TERM
# Ctrl-C reaches the run by itself.
trap : INT
wait "$run"
status=$?
# A signal ends the waiting, and not the run.
while kill -0 "$run" 2>/dev/null; do
    wait "$run"
    status=$?
done
printf 'ended %s %s\n' "$status" "$(date +%s)" >>"$state"
exit "$status"
"#,
            program = quoted(self.program)?,
            config = quoted(self.config)?,
            dir = quoted(&self.dir.to_string_lossy())?,
            shards = self.shards,
            options = options.join(" "),
        );
        Ok(text)
    }

    /// The script that puts the shards together.
    ///
    /// # Errors
    ///
    /// When a path cannot stand in a script.
    pub fn merge(&self) -> anyhow::Result<String> {
        let path = quoted(&self.dir.join("merge.sh").to_string_lossy())?;
        let mut text = format!(
            "#!/bin/bash\n\
             # Puts the shards of the study {name} together; made by 'harness submit', which writes this file anew each time.\n\
             # By hand, here or with sbatch: bash {path}\n",
            name = plain(self.name),
        );
        self.head(&mut text, "-merge", 1, MERGE_MEMORY, "log/merge-%j.txt")?;
        self.wanted(&mut text);
        let _ = write!(
            text,
            r#"
program={program}
dir={dir}
shards={shards}

state=$dir/state/merge
printf 'began %s %s %s\n' "${{SLURM_JOB_ID:--}}" "$(uname -n)" "$(date +%s)" >"$state"
# Shards that have not begun are gaps, which 'harness merge' tells; the next time they are filled.
begun=()
for ((shard = 1; shard <= shards; shard++)); do
    if [ -e "$dir/shards/$shard/run.json" ]; then begun+=("$dir/shards/$shard"); fi
done
if [ "${{#begun[@]}}" -gt 0 ]; then
    "$program" merge "${{begun[@]}}" --out "$dir/merged"
    status=$?
else
    echo "no shard has begun" >&2
    status=30
fi
printf 'ended %s %s\n' "$status" "$(date +%s)" >>"$state"
exit "$status"
"#,
            program = quoted(self.program)?,
            dir = quoted(&self.dir.to_string_lossy())?,
            shards = self.shards,
        );
        Ok(text)
    }

    /// What SLURM is told of either job.
    fn head(
        &self,
        text: &mut String,
        suffix: &str,
        cores: u32,
        memory: u64,
        log: &str,
    ) -> anyhow::Result<()> {
        let _ = write!(
            text,
            "#SBATCH --job-name={name}{suffix}\n\
             #SBATCH --nodes=1\n\
             #SBATCH --ntasks=1\n\
             #SBATCH --cpus-per-task={cores}\n\
             #SBATCH --mem={mebibytes}M\n\
             #SBATCH --chdir={dir}\n\
             #SBATCH --output={log}\n",
            name = plain(self.name),
            mebibytes = memory.div_ceil(1 << 20),
            dir = directive(&self.dir.to_string_lossy())?,
        );
        Ok(())
    }

    /// Last, so that it takes the place of what stands above.
    fn wanted(&self, text: &mut String) {
        for option in self.wanted {
            let _ = writeln!(text, "#SBATCH {option}");
        }
    }
}

/// A name without anything that a script or a job's name could trip over.
fn plain(name: &str) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || "_-.".contains(c) { c } else { '-' };
    name.chars().map(kept).take(60).collect()
}

/// A word of a shell.
fn quoted(word: &str) -> anyhow::Result<String> {
    if word.chars().any(|c| c.is_control() || c == char::REPLACEMENT_CHARACTER) {
        bail!("'{}' cannot stand in a script: choose a path without such characters", word.escape_debug());
    }
    Ok(shlex::try_quote(word)?.into_owned())
}

/// A value in a comment of SLURM, which has quotation marks and knows no others.
fn directive(word: &str) -> anyhow::Result<String> {
    if word.contains(['"', '\\']) {
        bail!("'{word}' cannot stand among SLURM's options: choose a path without quotation marks and \\");
    }
    quoted(word)?;
    Ok(if word.contains(char::is_whitespace) || word.contains(['\'', '#']) {
        format!("\"{word}\"")
    } else {
        word.to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scripts<'a>(dir: &'a Path, wanted: &'a [String]) -> Scripts<'a> {
        Scripts {
            name: "my study",
            program: "/opt/my tools/harness",
            config: "/data/it's.yaml",
            dir,
            shards: 4,
            array: "1-4",
            workers: 2,
            memory: 3 << 30,
            timeout: Some("10s"),
            wanted,
        }
    }

    #[test]
    fn limits_and_workers_become_memory_and_cores() {
        let wanted = ["--partition=short".to_owned(), "--exclusive".to_owned()];
        let job = scripts(Path::new("/out/my run"), &wanted).job().unwrap();
        for line in [
            "#SBATCH --cpus-per-task=2",
            "#SBATCH --mem=7168M",
            "#SBATCH --array=1-4",
            "#SBATCH --requeue",
            "#SBATCH --chdir=\"/out/my run\"",
            "#SBATCH --partition=short",
            "#SBATCH --exclusive",
            "dir='/out/my run'",
            "program='/opt/my tools/harness'",
            "config=\"/data/it's.yaml\"",
            "options=(--workers 2 --timeout 10s)",
        ] {
            assert!(job.lines().any(|found| found == line), "{line} in {job}");
        }
        // SLURM stops at the first line that is no comment.
        let (head, body) = job.split_once("\n\n").unwrap();
        assert!(head.lines().all(|line| line.starts_with('#')) && !body.contains("#SBATCH"));
    }

    #[test]
    fn what_cannot_stand_in_a_script_is_refused() {
        for dir in ["/a\nrm -rf /", "/a\"b"] {
            assert!(scripts(Path::new(dir), &[]).job().is_err(), "{dir}");
            assert!(scripts(Path::new(dir), &[]).merge().is_err(), "{dir}");
        }
    }

    #[test]
    fn bash_reads_them() {
        let dir = tempfile::tempdir().unwrap();
        let scripts = scripts(Path::new("/out/it's $HOME"), &[]);
        for text in [scripts.job().unwrap(), scripts.merge().unwrap()] {
            let file = dir.path().join("a.sh");
            std::fs::write(&file, text).unwrap();
            let read = std::process::Command::new("bash").arg("-n").arg(&file).output().unwrap();
            assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
        }
    }
}
