//! What can be seen of a voice. Reads, and changes nothing.

use super::Voice;
use crate::view::{MODES, VoiceView};

impl Voice {
    /// Somebody looks on, or nobody does.
    pub fn watch(&mut self, is_on: bool) {
        self.riders.watch(is_on);
        self.row.watch(is_on);
    }

    /// Where everything is now.
    pub fn view(&self) -> VoiceView {
        let mut view = VoiceView { key: self.key, ..VoiceView::default() };
        let spectrum = self.object.modes.spectrum();
        for (mode, swing) in view.swings.iter_mut().enumerate().take(spectrum.len().min(MODES)) {
            let (re, im) = self.bank.amplitude(mode);
            // What rings is a velocity; the slower a mode, the farther it goes.
            *swing = (re.hypot(im) / spectrum.ratio(mode).max(1e-3)) as f32;
        }
        self.hands.see(self.object.dt_s(), &mut view);
        self.riders.see(&mut view);
        self.thrown.see(&mut view);
        self.row.see(&mut view);
        view
    }
}
