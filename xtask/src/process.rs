//! Runs other programs.
use anyhow::{Context, Result, bail};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The cargo that runs this program, with `root` as its folder.
pub fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root);
    command
}

/// Prints and runs a command. A non-zero exit code is an error.
pub fn run(command: &mut Command) -> Result<()> {
    let line = line(command);
    eprintln!("  $ {line}");
    let status = command.status().with_context(|| format!("cannot start `{line}`"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// Runs a command, prints its standard output line by line, and returns it.
pub fn output_of(command: &mut Command) -> Result<String> {
    let line = line(command);
    eprintln!("  $ {line}");
    let mut child =
        command.stdout(Stdio::piped()).spawn().with_context(|| format!("cannot start `{line}`"))?;
    let mut text = String::new();
    for output in BufReader::new(child.stdout.take().context("no output")?).lines() {
        let output = output.with_context(|| format!("cannot read the output of `{line}`"))?;
        println!("{output}");
        text.push_str(&output);
        text.push('\n');
    }
    let status = child.wait().with_context(|| format!("cannot wait for `{line}`"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(text)
}

/// Whether the program exists and succeeds. Its output is discarded.
pub fn succeeds(program: &str, args: &[&str]) -> bool {
    let quiet = || Stdio::null();
    let mut command = Command::new(program);
    command.args(args).stdin(quiet()).stdout(quiet()).stderr(quiet());
    command.status().is_ok_and(|status| status.success())
}

/// A child process that is killed when this value is dropped.
pub struct KillOnDrop(pub Child);

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        // An error means that it has ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The command line, without the folder of the program.
fn line(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let program = program.file_stem().unwrap_or(program.as_os_str());
    let mut line = program.to_string_lossy().into_owned();
    for argument in command.get_args() {
        let argument = argument.to_string_lossy();
        line.push(' ');
        if argument.contains(' ') {
            line.push_str(&format!("'{argument}'"));
        } else {
            line.push_str(&argument);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_program_is_named_in_the_error() {
        let error = run(Command::new("cargo").arg("--no-such-option").stderr(Stdio::null()))
            .expect_err("fails");
        assert!(error.to_string().contains("cargo --no-such-option"), "{error}");
    }

    #[test]
    fn a_missing_program_does_not_succeed() {
        assert!(!succeeds("surely-no-such-program", &[]));
        assert!(succeeds("cargo", &["--version"]));
    }
}
