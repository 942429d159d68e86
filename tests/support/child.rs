//! Tests in a process of their own: an abort, an exit or a hang is a failed test and not a dead
//! run.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Set in the process that runs the body of a test.
const CHILD_VARIABLE: &str = "ICTUS_TEST_CHILD";
/// A child that takes longer hangs. The longest takes a minute on an idle machine.
const MAX_WAIT: Duration = Duration::from_secs(600);

/// Runs the body of the calling test in a process of its own. Call it directly from the test
/// function: the test's path is read from the closure's type.
pub fn run_isolated<F: FnOnce()>(body: F) {
    run_isolated_in(|_| {}, body);
}

/// The same with a command that `prepare` has changed, for example by environment variables. Inside
/// the child `prepare` is not called.
pub fn run_isolated_in<F: FnOnce()>(prepare: impl FnOnce(&mut Command), body: F) {
    if is_inside() {
        return body();
    }
    let path = std::any::type_name::<F>();
    let (_, path) = path.split_once("::").expect("the test is in a module");
    let test = path.trim_end_matches("::{{closure}}");
    run(test, prepare);
}

/// Whether this is the process of a test's body.
pub fn is_inside() -> bool {
    std::env::var_os(CHILD_VARIABLE).is_some()
}

/// Runs one test of this program by its path. Returns its output.
#[track_caller]
pub fn run(test: &str, prepare: impl FnOnce(&mut Command)) -> String {
    let name = format!("{}-{}.txt", test.replace("::", "-"), std::process::id());
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let output = File::create(&file).expect("a file for what it says");
    let mut command =
        Command::new(std::env::current_exe().expect("this program knows where it is"));
    command
        .args(["--exact", test, "--nocapture", "--include-ignored"])
        .env(CHILD_VARIABLE, "1")
        .stdin(Stdio::null())
        .stdout(output.try_clone().expect("a second handle"))
        .stderr(output);
    prepare(&mut command);
    let mut child = command.spawn().expect("it starts once more");
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("it can be asked") {
            break Some(status);
        }
        if start.elapsed() > MAX_WAIT {
            child.kill().expect("it can be ended");
            child.wait().expect("it ends");
            break None;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let said = String::from_utf8_lossy(&std::fs::read(&file).expect("it is there")).into_owned();
    let _ = std::fs::remove_file(&file);
    println!("{said}");
    let status = status.unwrap_or_else(|| panic!("{test} hangs"));
    assert!(status.success(), "{test}: {status}");
    assert!(said.contains("1 passed"), "{test} was not run");
    said
}
