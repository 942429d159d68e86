//! What can be seen of a voice. Reads, and changes nothing.

use super::Voice;
use crate::snapshot::{MODES, VoiceSnapshot};

impl Voice {
    /// Somebody looks on, or nobody does.
    pub fn watch(&mut self, is_on: bool) {
        self.coupled_contacts.watch(is_on);
        self.ball_chain.watch(is_on);
    }

    /// Where everything is now.
    pub fn snapshot(&self) -> VoiceSnapshot {
        let mut view = VoiceSnapshot { key: self.key, ..VoiceSnapshot::default() };
        let spectrum = self.object.modes.spectrum();
        for (mode, swing) in
            view.mode_amplitudes.iter_mut().enumerate().take(spectrum.len().min(MODES))
        {
            let (re, im) = self.bank.amplitude(mode);
            // What rings is a velocity; the slower a mode, the farther it goes.
            *swing = (re.hypot(im) / spectrum.ratio(mode).max(1e-3)) as f32;
        }
        self.rigid_contacts.write_snapshot(self.object.dt_s(), &mut view);
        self.coupled_contacts.write_snapshot(&mut view);
        self.tumbling.write_snapshot(&mut view);
        self.ball_chain.write_snapshot(&mut view);
        view
    }
}
