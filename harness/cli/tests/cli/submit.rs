//! Studies that run as jobs. SLURM's programs are scripts here, which run the tasks of a job array one after
//! the other, as a cluster with one node does; `scripts/slurm-test.sh` does the same with SLURM itself.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::{RUNTIME, expect, planned, records, results, small, stderr, stdout, verdicts};

const STRATEGIES: &str = "[sfa-ranges-lazy, classes-lazy, sfa-bdd-lazy]";

/// Runs the tasks at once and prints their number. `kill`: a shard whose run is killed when it has a record.
/// `hold`: the jobs stay in the queue. `refuse`: what it says instead.
const SBATCH: &str = r##"#!/bin/bash
PATH=/usr/bin:/bin:$PATH
fake=${0%/*}
echo "sbatch $*" >>"$fake/calls"
if [ -e "$fake/refuse" ]; then cat "$fake/refuse" >&2; exit 1; fi
for script; do :; done
array=$(sed -n 's/^#SBATCH --array=//p' "$script")
for option; do
    case "$option" in --array=*) array=${option#--array=} ;; esac
done
id=$(($(cat "$fake/last" 2>/dev/null || echo 100) + 1))
echo "$id" >"$fake/last"
numbers=
for part in ${array//,/ }; do numbers="$numbers $(seq "${part%-*}" "${part#*-}")"; done
chdir=$(sed -n 's/^#SBATCH --chdir=//p' "$script" | tr -d '"')
for task in ${numbers:-none}; do
    if [ -e "$fake/hold" ]; then
        [ "$task" = none ] && echo "$id|PENDING|Dependency" || echo "${id}_$task|PENDING|Priority"
        continue
    fi
    (
        cd "$chdir" || exit
        export SLURM_JOB_ID=$id
        [ "$task" = none ] || export SLURM_ARRAY_JOB_ID=$id SLURM_ARRAY_TASK_ID=$task
        exec bash "$script" >"$chdir/log/$id-$task.txt" 2>&1
    ) &
    if [ "$(cat "$fake/kill" 2>/dev/null)" = "$task" ]; then
        until [ -s "$chdir/shards/$task/records.jsonl" ]; do sleep 0.02; done
        kill -KILL $(cat /proc/$!/task/$!/children)
        rm "$fake/kill"
    fi
    wait
done >"$fake/queue"
echo "$id"
"##;

const SQUEUE: &str = r##"#!/bin/bash
fake=${0%/*}
if [ -s "$fake/queue" ]; then /bin/cat "$fake/queue"; exit; fi
echo "slurm_load_jobs error: Invalid job id specified" >&2
exit 1
"##;

const SCANCEL: &str = "#!/bin/bash\necho \"scancel $*\" >>\"${0%/*}/calls\"\n";

/// A folder with a study, and programs beside it that are all that PATH has.
struct Cluster {
    dir: tempfile::TempDir,
}

impl Cluster {
    /// With SLURM's programs.
    fn new(study: &str) -> Self {
        let cluster = Self::without_slurm(study);
        for (name, text) in [("sbatch", SBATCH), ("squeue", SQUEUE), ("scancel", SCANCEL)] {
            let path = cluster.fake(name);
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        cluster
    }

    fn without_slurm(study: &str) -> Self {
        let cluster = Self { dir: tempfile::tempdir().unwrap() };
        fs::create_dir(cluster.dir.path().join("bin")).unwrap();
        for name in ["bash", "date", "sleep", "uname"] {
            let found = ["/usr/bin", "/bin"].map(|dir| Path::new(dir).join(name));
            symlink(found.iter().find(|path| path.exists()).unwrap(), cluster.fake(name)).unwrap();
        }
        fs::write(cluster.dir.path().join("a.yaml"), study).unwrap();
        cluster
    }

    /// A file beside the programs.
    fn fake(&self, name: &str) -> PathBuf {
        self.dir.path().join("bin").join(name)
    }

    fn at(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    fn run(&self, mut command: Command) -> Output {
        command.env("PATH", self.dir.path().join("bin")).output().unwrap()
    }

    fn harness(&self, args: &[&str]) -> Output {
        self.run(crate::command(self.dir.path(), args))
    }

    fn submit(&self, more: &[&str]) -> Output {
        self.harness(&[&["submit", "a.yaml", "--out", "jobs"], more].concat())
    }

    /// A script of the submission, run by hand.
    fn bash(&self, script: &str, args: &[&str]) -> Output {
        let mut command = Command::new("bash");
        command.arg(self.at("jobs").join(script)).args(args).current_dir("/");
        RUNTIME.with(|runtime| command.env("XDG_RUNTIME_DIR", runtime.path()));
        self.run(command)
    }

    /// How SLURM's programs were called.
    fn calls(&self) -> Vec<String> {
        let text = fs::read_to_string(self.fake("calls")).unwrap_or_default();
        text.lines().map(str::to_owned).collect()
    }

    fn status(&self, status: i32) -> serde_json::Value {
        let output = self.harness(&["status", "jobs", "--json"]);
        expect(&output, status);
        serde_json::from_str(&stdout(&output)).unwrap()
    }

    /// What the shards are, by number.
    fn states(&self, status: i32) -> Vec<String> {
        let shards = self.status(status)["shards"].as_array().unwrap().clone();
        shards.iter().map(|shard| shard["state"].as_str().unwrap().to_owned()).collect()
    }

    /// The shards together are what one run of the study is.
    fn is_one_run(&self) {
        expect(&self.harness(&["compare", "a.yaml", "--out", "all", "--no-progress"]), 0);
        assert_eq!(verdicts(&self.at("jobs/merged")), verdicts(&self.at("all")));
        assert_eq!(records(&self.at("jobs/merged")).len(), planned(&self.at("all")));
    }
}

#[test]
fn shards_of_a_job_array_are_the_run_on_one_machine() {
    let cluster = Cluster::new(&small(STRATEGIES));
    let output = cluster.submit(&["--shards", "3", "--time", "1:00:00", "--sbatch=--exclusive"]);
    expect(&output, 0);
    assert!(stdout(&output).contains("job 101 submitted: shards 1-3 of 3"), "{}", stdout(&output));
    let job = fs::read_to_string(cluster.at("jobs/job.sh")).unwrap();
    for line in
        ["#SBATCH --time=1:00:00", "#SBATCH --exclusive", "#SBATCH --cpus-per-task=1", "#SBATCH --mem=2048M"]
    {
        assert!(job.lines().any(|found| found == line), "{line}: {job}");
    }
    let calls = cluster.calls();
    assert!(calls[0].starts_with("sbatch --parsable --array=1-3 "), "{calls:?}");
    assert!(calls[1].starts_with("sbatch --parsable --dependency=afterany:101 "), "{calls:?}");

    let output = cluster.harness(&["status", "jobs"]);
    expect(&output, 0);
    assert!(stdout(&output).contains("shards: 3 complete"), "{}", stdout(&output));
    let status = cluster.status(0);
    assert_eq!(status["shards"][0]["job"], "101_1");
    assert_eq!((&status["is_merged"], &status["made"]), (&true.into(), &status["planned"]));
    cluster.is_one_run();

    // Again: there is nothing to do.
    let output = cluster.submit(&[]);
    expect(&output, 0);
    assert!(stdout(&output).contains("nothing to submit"), "{}", stdout(&output));
    assert_eq!(cluster.calls().len(), 2);
}

#[test]
fn a_killed_shard_is_submitted_again_and_no_other() {
    let study = small(STRATEGIES) + "sampling: {total: 200ms, max_samples: 100000}\n";
    let cluster = Cluster::new(&study);
    fs::write(cluster.fake("kill"), "2").unwrap();
    expect(&cluster.submit(&["--shards", "3"]), 0);
    assert_eq!(cluster.states(30), ["complete", "killed", "complete"]);
    let output = cluster.harness(&["status", "jobs"]);
    expect(&output, 30);
    for told in ["its run was ended by signal 9", "Shard 2 has to be submitted: ", "merged: "] {
        assert!(stdout(&output).contains(told), "{told}: {}", stdout(&output));
    }
    let before = records(&cluster.at("jobs/shards/2"));
    assert!(!before.is_empty() && before.len() < planned(&cluster.at("jobs/shards/2")));

    expect(&cluster.submit(&[]), 0);
    let calls = cluster.calls();
    assert!(calls.iter().any(|call| call.starts_with("sbatch --parsable --array=2 ")), "{calls:?}");
    assert!(calls.iter().any(|call| call == "scancel --state=PENDING 102"), "{calls:?}");
    assert_eq!(records(&cluster.at("jobs/shards/2"))[..before.len()], before, "what was made is kept");
    assert_eq!(cluster.states(0), ["complete"; 3]);
    cluster.is_one_run();
}

#[test]
fn a_directory_with_another_shard_in_it_is_told() {
    let cluster = Cluster::new(&small(STRATEGIES));
    expect(&cluster.submit(&["--shards", "3"]), 0);
    fs::remove_dir_all(cluster.at("jobs/shards/2")).unwrap();
    fs::rename(cluster.at("jobs/shards/1"), cluster.at("jobs/shards/2")).unwrap();
    for output in [cluster.harness(&["status", "jobs"]), cluster.submit(&[])] {
        expect(&output, 2);
        assert!(
            stderr(&output).contains("holds shard 1/3, not shard 2/3: move it away"),
            "{}",
            stderr(&output)
        );
    }
}

#[test]
fn what_waits_in_the_queue_is_not_submitted_again() {
    let cluster = Cluster::new(&small(STRATEGIES));
    fs::write(cluster.fake("hold"), "").unwrap();
    expect(&cluster.submit(&["--shards", "2"]), 0);
    // The array's lines, which the merge has taken the place of.
    fs::write(cluster.fake("queue"), "101_1|PENDING|Priority\n101_2|RUNNING|None\n102|PENDING|Dependency\n")
        .unwrap();
    assert_eq!(cluster.states(30), ["waiting", "running"]);
    let output = cluster.harness(&["status", "jobs"]);
    assert!(stdout(&output).contains("in the queue: Priority"), "{}", stdout(&output));
    assert!(stdout(&output).contains("wait for them"), "{}", stdout(&output));
    let output = cluster.submit(&[]);
    expect(&output, 0);
    assert!(stdout(&output).contains("shards 1-2 are in the queue or running"), "{}", stdout(&output));
    assert_eq!(cluster.calls().len(), 2);

    // The node of the second one is lost, before it wrote anything down.
    fs::write(
        cluster.fake("queue"),
        "101_1|PENDING|Priority\n101_2|NODE_FAIL|None\n102|PENDING|Dependency\n",
    )
    .unwrap();
    assert_eq!(cluster.states(30), ["waiting", "killed"]);
    expect(&cluster.submit(&[]), 0);
    let calls = cluster.calls();
    assert!(calls.iter().any(|call| call.starts_with("sbatch --parsable --array=2 ")), "{calls:?}");
    assert!(calls.last().unwrap().contains("--dependency=afterany:103:101 "), "{calls:?}");
}

#[test]
fn without_sbatch_the_scripts_are_there_to_be_run_by_hand() {
    let cluster = Cluster::without_slurm(&small(STRATEGIES));
    let output = cluster.submit(&["--shards", "2"]);
    expect(&output, 2);
    for told in ["there is no program 'sbatch'", "sbatch /", "--engine local", "/job.sh SHARD"] {
        assert!(stderr(&output).contains(told), "{told}: {}", stderr(&output));
    }
    assert_eq!(cluster.states(30), ["waiting", "waiting"]);
    expect(&cluster.bash("job.sh", &["2"]), 0);
    assert_eq!(cluster.states(30), ["waiting", "complete"]);
    // A merge before its time says what is missing, and is filled by the next one.
    expect(&cluster.bash("merge.sh", &[]), 30);
    assert_eq!(cluster.states(30), ["waiting", "complete"]);
    expect(&cluster.bash("job.sh", &["1"]), 0);
    let output = cluster.harness(&["status", "jobs"]);
    expect(&output, 30);
    assert!(stdout(&output).contains("are to be merged"), "{}", stdout(&output));
    expect(&cluster.bash("merge.sh", &[]), 0);
    assert_eq!(cluster.states(0), ["complete"; 2]);
    cluster.is_one_run();
    let output = cluster.bash("job.sh", &[]);
    assert!(stderr(&output).contains("name a shard"), "{}", stderr(&output));
}

#[test]
fn on_one_machine_without_a_queue() {
    let cluster = Cluster::without_slurm(&small(STRATEGIES));
    let output = cluster.submit(&["--engine", "local", "--shards", "2", "--timeout", "9s"]);
    expect(&output, 0);
    assert!(stderr(&output).contains("shard 2 of 2"), "{}", stderr(&output));
    assert_eq!(cluster.states(0), ["complete"; 2]);
    let text = fs::read_to_string(cluster.at("jobs/merged/run.json")).unwrap();
    assert!(text.contains("\"timeout\": \"9s\""), "{text}");
    // Records that are lost are made again, and a shard without any is complete.
    fs::remove_dir_all(cluster.at("jobs/shards/1")).unwrap();
    assert_eq!(cluster.states(30), ["waiting", "complete"]);
    let again = cluster.status(30)["next"][0].as_str().unwrap().to_owned();
    assert!(again.contains(" submit --engine local ") && again.ends_with(" --timeout 9s"), "{again}");
}

#[test]
fn a_shard_without_records_is_complete() {
    let cluster = Cluster::without_slurm(&small("[classes-lazy]"));
    expect(&cluster.submit(&["--engine", "local", "--shards", "60"]), 0);
    let status = cluster.status(0);
    let empty = |shard: &&serde_json::Value| shard["planned"] == 0;
    assert!(status["shards"].as_array().unwrap().iter().filter(empty).count() > 0, "{status}");
    let job = fs::read_to_string(cluster.at("jobs/job.sh")).unwrap();
    assert!(!job.contains("#SBATCH --array=1-60\n"), "they are not submitted: {job}");
    cluster.is_one_run();
}

#[test]
fn what_slurm_says_is_told() {
    let cluster = Cluster::new(&small(STRATEGIES));
    fs::write(cluster.fake("refuse"), "sbatch: error: invalid partition specified: nope").unwrap();
    let output = cluster.submit(&["--shards", "2", "--partition", "nope"]);
    expect(&output, 2);
    for told in ["invalid partition specified: nope", "change the options and submit again"] {
        assert!(stderr(&output).contains(told), "{told}: {}", stderr(&output));
    }
    fs::remove_file(cluster.fake("refuse")).unwrap();
    expect(&cluster.submit(&["--partition", "short"]), 0);
    assert_eq!(cluster.states(0), ["complete"; 2]);
}

#[test]
fn a_shard_that_fails_is_told_with_its_log() {
    let cluster = Cluster::new(&small(STRATEGIES));
    fs::write(cluster.fake("hold"), "").unwrap();
    expect(&cluster.submit(&["--shards", "2"]), 0);
    fs::remove_file(cluster.fake("queue")).unwrap();
    // The configuration is changed between the submission and the job.
    fs::write(cluster.at("a.yaml"), "name: [").unwrap();
    expect(&cluster.bash("job.sh", &["1"]), 2);
    assert_eq!(cluster.states(30), ["failed", "killed"]);
    let output = cluster.harness(&["status", "jobs"]);
    assert!(stdout(&output).contains("ended with status 2"), "{}", stdout(&output));
    assert!(stdout(&output).contains("Shard 1 failed: "), "{}", stdout(&output));
}

#[test]
fn what_is_not_the_same_study_is_refused() {
    let cluster = Cluster::new(&small(STRATEGIES));
    expect(&cluster.submit(&["--shards", "2"]), 0);
    let refused = |args: &[&str], told: &str| {
        let output = cluster.submit(args);
        expect(&output, 2);
        assert!(stderr(&output).contains(told), "{told}: {}", stderr(&output));
    };
    refused(&["--shards", "3"], "has 2 shards");
    refused(&["--timeout", "3s"], "wall limit: 10s then, 3s now");
    for (args, told) in [
        (&["--partition", "a b"][..], "a name of letters"),
        (&["--time", "soon"], "minutes"),
        (&["--sbatch", "exclusive"], "an option of sbatch"),
        (&["--shards", "0"], "0 is not in 1.."),
    ] {
        refused(args, told);
    }
    // Whoever comes second hears of the first, and of nothing that the first has made so far.
    fs::create_dir_all(cluster.at("two/shards")).unwrap();
    let lock = fs::File::create(cluster.at("two/.submit.lock")).unwrap();
    lock.lock().unwrap();
    let output = cluster.harness(&["submit", "a.yaml", "--out", "two"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("another 'harness submit' is at work here"), "{}", stderr(&output));
    drop(lock);
    // A directory with something else in it, such as a run, is left alone.
    expect(&cluster.harness(&["compare", "a.yaml", "--out", "run", "--no-progress"]), 0);
    let output = cluster.harness(&["submit", "a.yaml", "--out", "run"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("has something else in it"), "{}", stderr(&output));
    assert!(!cluster.at("run/job.sh").exists());
    let output = cluster.harness(&["status", "run"]);
    expect(&output, 2);
    assert!(stderr(&output).contains("there is no submit.json"), "{}", stderr(&output));

    let head = cluster.at("jobs/submit.json");
    let text = fs::read_to_string(&head).unwrap();
    for (damaged, told) in [
        (text.replace("\"format\": 1", "\"format\": 2"), "newer build"),
        (text[..text.len() / 2].to_owned(), "is damaged"),
        ("{}".to_owned(), "is damaged"),
    ] {
        fs::write(&head, damaged).unwrap();
        for output in [cluster.harness(&["status", "jobs"]), cluster.submit(&[])] {
            expect(&output, 2);
            assert!(stderr(&output).contains(told), "{told}: {}", stderr(&output));
        }
    }
    assert_eq!(results(&cluster.at("jobs/merged")).len(), planned(&cluster.at("jobs/merged")));
}

#[cfg(feature = "misbehaving")]
#[test]
fn what_is_wrong_stays_wrong() {
    let cluster = Cluster::new(&small("[sfa-ranges-lazy, test-lies-empty]"));
    expect(&cluster.submit(&["--shards", "2"]), 0);
    assert_eq!(cluster.states(10), ["complete"; 2]);
    expect(&cluster.submit(&["--engine", "local"]), 10);
}
