//! `cargo xtask editor`: a screenshot of the editor, the cost of a frame, the pictures of the
//! manual.
use crate::display::{self, Picture};
use crate::process::{self, KillOnDrop};
use crate::workspace::Workspace;
use anyhow::{Context, Result, bail};
use std::collections::HashSet;
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const WHITE: [u8; 3] = [255; 3];
const MAX_WAIT: Duration = Duration::from_secs(180);

/// `cargo xtask editor [--cost | --pictures]`.
pub fn editor(workspace: &Workspace, args: &[String]) -> Result<()> {
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => screenshot(workspace),
        ["--cost"] => cost(workspace),
        ["--pictures"] => pictures(workspace),
        _ => bail!(
            "`cargo xtask editor` takes --cost or --pictures, but was given {}",
            args.join(" ")
        ),
    }
}

/// Prints the time of a frame (layout and tessellation) while the scene moves.
fn cost(workspace: &Workspace) -> Result<()> {
    let mut command = process::cargo(&workspace.root);
    command.args(["test", "--locked", "--release", "--package", "ictus", "--test", "editor", "--"]);
    process::run(command.args(["--ignored", "--exact", "--nocapture", "cost::time_of_a_frame"]))
}

/// Renders the pictures of the manual from the built plug-in in a host.
fn pictures(workspace: &Workspace) -> Result<()> {
    let clap = workspace.clap();
    if !clap.exists() {
        bail!("there is no {}: `cargo xtask bundle` builds it", workspace.shown(&clap));
    }
    let folder = workspace.root.join("docs/manual/images");
    let mut command = process::cargo(&workspace.root);
    command.args(["test", "--locked", "--package", "ictus", "--test", "window", "--"]);
    command.args(["--ignored", "--exact", "--nocapture", "pictures_are_taken"]);
    process::run(command.env("ICTUS_CLAP", clap).env("ICTUS_PICTURES", &folder))?;
    println!("{}; look at them before you commit them", workspace.shown(&folder));
    Ok(())
}

/// Opens the built instrument, without audio, and writes what its window shows to
/// `target/editor.png`.
pub fn screenshot(workspace: &Workspace) -> Result<()> {
    if !cfg!(target_os = "linux") {
        eprintln!("  left out: the virtual display (Xvfb) needs Linux");
        return Ok(());
    }
    let folder = workspace.target.join("editor");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let (display, _server) = display::start(&folder)?;
    let log = folder.join("standalone.log");
    let mut instrument = open_instrument(workspace, &display, &log)?;
    let picture =
        wait_for_picture(&folder.join("Xvfb_screen0"), &mut instrument).with_context(|| {
            format!(
                "the editor did not show; its log: {}",
                fs::read_to_string(&log).unwrap_or_default().trim()
            )
        })?;
    let path = workspace.target.join("editor.png");
    picture.write(&path).with_context(|| format!("cannot write {}", path.display()))?;
    eprintln!("  {} by {} pixels, {} colours", picture.width, picture.height, colours(&picture));
    println!("{}", path.display());
    Ok(())
}

fn open_instrument(workspace: &Workspace, display: &str, log: &Path) -> Result<KillOnDrop> {
    let standalone = workspace.standalone();
    let child = Command::new(&standalone)
        .args(["--backend", "dummy"])
        .env("DISPLAY", display)
        .env_remove("WAYLAND_DISPLAY")
        // The graphics card does not serve this display.
        .env("LIBGL_ALWAYS_SOFTWARE", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(log).with_context(|| format!("cannot write {}", log.display()))?)
        .spawn()
        .with_context(|| {
            format!("cannot start {}; `cargo xtask bundle` builds it", standalone.display())
        })?;
    Ok(KillOnDrop(child))
}

/// Waits until the screen shows an editor and has stopped changing.
fn wait_for_picture(screen: &Path, instrument: &mut KillOnDrop) -> Result<Picture> {
    let start = Instant::now();
    let mut last = None;
    let mut verdict = "nothing was drawn".to_owned();
    while start.elapsed() < MAX_WAIT {
        std::thread::sleep(Duration::from_millis(300));
        if let Some(status) = instrument.0.try_wait().context("cannot watch the instrument")? {
            bail!("the instrument ended by itself ({status})");
        }
        let dump = fs::read(screen).with_context(|| format!("cannot read {}", screen.display()))?;
        let Some(picture) = display::parse_dump(&dump)?.cropped(WHITE) else {
            continue;
        };
        match blank(&picture) {
            Some(reason) => verdict = reason,
            None if last.as_ref() == Some(&picture) => return Ok(picture),
            None => verdict = "the picture never stopped changing".into(),
        }
        last = Some(picture);
    }
    bail!("{verdict} within {} s", MAX_WAIT.as_secs())
}

/// Why a picture does not show an editor, or `None` if it may.
///
/// Anti-aliased text and controls have many colours and edges on many rows. An empty window, a
/// gradient or noise in one corner does not.
fn blank(picture: &Picture) -> Option<String> {
    if picture.width < 200 || picture.height < 100 {
        return Some(format!("only {} by {} pixels were drawn", picture.width, picture.height));
    }
    let colours = colours(picture);
    if colours < 24 {
        return Some(format!("the window has only {colours} colours"));
    }
    let light = |[r, g, b]: [u8; 3]| (2 * i32::from(r) + 5 * i32::from(g) + i32::from(b)) / 8;
    let edges = |row: &&[[u8; 3]]| {
        row.windows(2).filter(|pair| (light(pair[0]) - light(pair[1])).abs() > 32).count()
    };
    let textured = picture.pixels.chunks(picture.width).filter(|row| edges(row) >= 8).count();
    if textured * 10 < picture.height {
        return Some(format!(
            "only {textured} of {} rows have edges like those of text",
            picture.height
        ));
    }
    None
}

fn colours(picture: &Picture) -> usize {
    picture.pixels.iter().collect::<HashSet<_>>().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(pixel: impl Fn(usize, usize) -> [u8; 3]) -> Picture {
        let (width, height) = (400, 300);
        let pixels = (0..width * height).map(|i| pixel(i % width, i / width)).collect();
        Picture { width, height, pixels }
    }

    #[test]
    fn an_empty_window_is_blank() {
        assert!(blank(&picture(|_, _| [30; 3])).is_some());
    }

    #[test]
    fn a_gradient_is_blank() {
        assert!(blank(&picture(|x, y| [x as u8, y as u8, 0])).is_some());
    }

    #[test]
    fn lines_of_text_are_not_blank() {
        let letters = |x: usize, y: usize| y % 20 < 10 && x % 7 < 3;
        assert_eq!(
            blank(&picture(|x, y| if letters(x, y) { [200 + (x % 50) as u8; 3] } else { [20; 3] })),
            None
        );
    }
}
