//! What comes into the build from elsewhere: whether it may, and what has to be said of it.
mod crates;
mod deny;
mod notices;

use crate::workspace::Workspace;
use anyhow::{Result, bail};

pub use notices::FILE;

/// Fails when a crate has a licence or a source that is not allowed, or is banned (`deny.toml`), or
/// comes without the text of its licence.
pub fn check(workspace: &Workspace) -> Result<()> {
    deny::check(workspace)?;
    let shipped = crates::shipped(workspace)?;
    let without = notices::without_text(&shipped);
    if !without.is_empty() {
        bail!("no text of its licence: {}", without.join("; "));
    }
    eprintln!("  {} crates are shipped, each with the text of its licence", shipped.len());
    Ok(())
}

/// The licences of all that is shipped.
pub fn notices(workspace: &Workspace) -> Result<String> {
    Ok(notices::text(&crates::shipped(workspace)?))
}
