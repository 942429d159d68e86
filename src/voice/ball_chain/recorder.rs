//! Records contacts of a chain for the editor. The sound does not depend on it.

use super::contact::ChainContact;
use crate::contact::ContactReport;
use crate::contact::recording::{ContactRecording, ContactWith, RecordedPoint, RecordingBuffer};
use crate::rigid_body::chain::Chain;

/// Share of a swing within which contacts belong to one click: the next click comes after half a
/// swing.
const CLICK_SHARE: f64 = 0.4;

/// Records one contact at a time: of several that overlap, the one that began first. Of all
/// contacts of one click, or of a chain without strings, the strongest is kept, because many weak
/// ones follow it.
#[derive(Clone, Debug, Default)]
pub struct ChainRecorder {
    recorded: Option<usize>,
    buffer: RecordingBuffer,
    /// Duration of a click, and time since the first contact of the last one, s.
    click_s: f64,
    since_s: f64,
}

impl ChainRecorder {
    /// Discards all recordings.
    pub fn reset(&mut self) {
        self.cancel();
        self.buffer.reset();
        self.since_s = f64::INFINITY;
    }

    /// A chain with this period of its swing, if any, is launched.
    pub fn launch(&mut self, swing_s: Option<f64>) {
        self.click_s = swing_s.map_or(f64::INFINITY, |swing_s| CLICK_SHARE * swing_s);
        self.since_s = f64::INFINITY;
    }

    /// Advances the time.
    pub fn pass(&mut self, time_s: f64) {
        self.since_s += time_s;
    }

    /// Discards the contact under way.
    pub fn cancel(&mut self) {
        self.recorded = None;
    }

    /// The last finished recording.
    pub fn last(&self) -> Option<&ContactRecording> {
        self.buffer.last()
    }

    /// A contact begins.
    pub fn begin(&mut self, contact: usize, chain: &Chain, touching: &ChainContact) {
        if self.recorded.is_none() {
            self.recorded = Some(contact);
            let speed = touching.speed_in_m_per_s;
            let energy_j = 0.5 * chain.reduced_kg(contact) * speed * speed;
            self.buffer
                .begin(RecordedPoint { energy_j: energy_j as f32, ..RecordedPoint::default() });
        }
    }

    /// A contact goes on after a step.
    pub fn step(&mut self, contact: usize, chain: &Chain, touching: &ChainContact) {
        if self.recorded == Some(contact) {
            self.buffer.step(RecordedPoint {
                time_s: touching.duration_s as f32,
                compression_m: chain.compression_m(contact) as f32,
                impulse_ns: touching.impulse_ns as f32,
                energy_j: chain.energy_between_j(contact) as f32,
            });
        }
    }

    /// A contact ends: with a report if it was strong enough.
    pub fn end(
        &mut self,
        contact: usize,
        chain: &Chain,
        touching: &ChainContact,
        report: Option<&ContactReport>,
    ) {
        if self.recorded != Some(contact) {
            return;
        }
        self.recorded = None;
        let Some(report) = report else { return };
        let release = RecordedPoint {
            time_s: report.duration_s as f32,
            compression_m: report.separation_m as f32,
            impulse_ns: touching.impulse_ns as f32,
            energy_j: (0.5 * report.mass_kg * report.v_out_m_per_s * report.v_out_m_per_s) as f32,
        };
        let is_new = self.since_s >= self.click_s;
        if is_new {
            self.since_s = 0.0;
        }
        self.buffer.end(ContactWith::Ball, &chain.alone(contact), report, release, is_new);
    }
}
