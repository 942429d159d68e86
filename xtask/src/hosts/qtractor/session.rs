//! A session in Qtractor itself: notes, automation, saving, loading.
use super::Home;
use super::host_session::HostSession;
use crate::display;
use crate::workspace::Workspace;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::Path;

/// So long after the first blow the level is turned down, samples of 48 kHz (a block of JACK after
/// 1.35 s, before the last blow): by 60 dB, and the blows differ among themselves.
const QUIET_AFTER: usize = 70_500;
const QUIETER: f64 = 0.01;
/// Where the curves have left Size (32 of 127) and Level, as the host writes it.
const TURNED: (&str, &str) = ("0.251969", "0");

/// Load, play by a file, automate, save, open again: twice the same sound, and what was turned
/// stays turned.
pub fn run(workspace: &Workspace, home: &Home) -> Result<Vec<String>> {
    let folder = home.folder.join("qtractor");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let source = workspace.root.join("tests/hosts/qtractor");
    for name in ["notes.mid", "curves.mid"] {
        fs::copy(source.join(name), folder.join(name))
            .with_context(|| format!("cannot copy {name}"))?;
    }
    let session = folder.join("ictus.qtr");
    let text = fs::read_to_string(source.join("session.qtr")).context("cannot read the session")?;
    let bundle = home.folder.join(".clap").join("Ictus.clap");
    fs::write(&session, text.replace("BUNDLE", &bundle.to_string_lossy()))
        .context("cannot write the session")?;
    let (display, _screen) = display::start(&folder)?;
    let host_session = HostSession { folder, session, display };

    let first = host_session.play("one.wav", true)?;
    let (peak, quiet) = (peak(&first), peak(first.get(QUIET_AFTER..).unwrap_or_default()));
    ensure!(
        peak > 0.01 && quiet < QUIETER * peak,
        "the automation is not heard: {peak}, then {quiet}"
    );
    let mut lines = vec![format!(
        "plays four notes of a file in real time (peak {peak:.3}); automation of Level is followed"
    )];
    let before = saved(&host_session.session)?;
    let (size, level) = (of(&before, "Size")?, of(&before, "Level")?);
    ensure!((size, level) == TURNED, "the curves have turned Size to {size} and Level to {level}");
    let again = host_session.play("two.wav", false)?;
    let both = first.len().min(again.len());
    let differ = first.iter().zip(&again).filter(|(a, b)| a != b).count();
    ensure!(
        both > 48_000 && differ == 0,
        "{differ} of {both} samples differ in the session opened again"
    );
    lines.push(format!(
        "saves the session, opens it again and plays {both} samples to the bit alike"
    ));
    // Without its curves all that it has is the state of the plug-in.
    let mut bare =
        fs::read_to_string(&host_session.session).context("cannot read the saved session")?;
    while let Some((start, end)) = bare.find("<curve-file>").zip(bare.find("</curve-file>")) {
        bare.replace_range(start..end + "</curve-file>".len(), "");
    }
    fs::write(&host_session.session, bare).context("cannot write the session")?;
    // What it plays is not looked at: it was saved with its level turned down.
    host_session.play("three.wav", true)?;
    let kept = saved(&host_session.session)?;
    ensure!(
        before == kept,
        "the state is another in the session opened again:\n{before:?}\n{kept:?}"
    );
    lines.push(format!(
        "keeps {} parameters by the state of the plug-in (Size {size}, Level {level})",
        kept.len()
    ));
    Ok(lines)
}

/// Parameters as the session has them, by name.
fn saved(session: &Path) -> Result<Vec<(String, String)>> {
    let text = fs::read_to_string(session).context("cannot read the saved session")?;
    ensure!(
        text.contains("<config key=\"state\">"),
        "Qtractor has not saved the state of the plug-in"
    );
    let mut values: Vec<_> = text
        .split("<param ")
        .skip(1)
        .filter_map(|rest| {
            // In which order its attributes stand is left to chance.
            let (tag, rest) = rest.split_once('>')?;
            let name = tag.split_once("name=\"")?.1.split('"').next()?;
            Some((name.to_owned(), rest.split('<').next()?.to_owned()))
        })
        .collect();
    values.sort();
    ensure!(!values.is_empty(), "Qtractor has saved no parameters");
    Ok(values)
}

fn peak(samples: &[i32]) -> f64 {
    samples.iter().map(|x| f64::from(x.unsigned_abs())).fold(0.0, f64::max) / 2f64.powi(31)
}

fn of<'a>(values: &'a [(String, String)], name: &str) -> Result<&'a str> {
    let value = values.iter().find(|(own, _)| own == name);
    value.map(|(_, value)| value.as_str()).with_context(|| format!("the session has no {name}"))
}
