//! Follows the contacts of a row for whoever looks on. Nothing that sounds depends on it.

use super::contact::ChainContact;
use crate::contact::ContactReport;
use crate::contact::recording::{ContactRecording, ContactWith, RecordedPoint, RecordingBuffer};
use crate::rigid_body::chain::Chain;

/// A click of a cradle is over after this share of a swing: the next comes after half of one.
const CLICK: f64 = 0.4;

/// Follows one contact at a time: of several that overlap, the one that began first. Of all
/// contacts of one click, or of a row without strings, the strongest is kept: many weak ones come
/// after it.
#[derive(Clone, Debug, Default)]
pub struct ChainRecorder {
    followed: Option<usize>,
    buffer: RecordingBuffer,
    /// Time that a click takes, s, and since the first contact of the last one.
    click_s: f64,
    since_s: f64,
}

impl ChainRecorder {
    /// Forget what was seen.
    pub fn reset(&mut self) {
        self.let_go();
        self.buffer.reset();
        self.since_s = f64::INFINITY;
    }

    /// A row is let go that swings once in so long, if it does.
    pub fn launch(&mut self, swing_s: Option<f64>) {
        self.click_s = swing_s.map_or(f64::INFINITY, |swing_s| CLICK * swing_s);
        self.since_s = f64::INFINITY;
    }

    /// Time goes by.
    pub fn pass(&mut self, time_s: f64) {
        self.since_s += time_s;
    }

    /// The contact under way has no end.
    pub fn let_go(&mut self) {
        self.followed = None;
    }

    /// The last contact that was followed to its end.
    pub fn last(&self) -> Option<&ContactRecording> {
        self.buffer.last()
    }

    /// Two neighbours begin to touch.
    pub fn begin(&mut self, contact: usize, chain: &Chain, touching: &ChainContact) {
        if self.followed.is_none() {
            self.followed = Some(contact);
            let speed = touching.speed_in_m_per_s;
            let energy_j = 0.5 * chain.reduced_kg(contact) * speed * speed;
            self.buffer
                .begin(RecordedPoint { energy_j: energy_j as f32, ..RecordedPoint::default() });
        }
    }

    /// They still do after a step.
    pub fn step(&mut self, contact: usize, chain: &Chain, touching: &ChainContact) {
        if self.followed == Some(contact) {
            self.buffer.step(RecordedPoint {
                time_s: touching.duration_s as f32,
                compression_m: chain.compression_m(contact) as f32,
                impulse_ns: touching.impulse_ns as f32,
                energy_j: chain.energy_between_j(contact) as f32,
            });
        }
    }

    /// They came apart: with a report, if it was worth one.
    pub fn end(
        &mut self,
        contact: usize,
        chain: &Chain,
        touching: &ChainContact,
        report: Option<&ContactReport>,
    ) {
        if self.followed != Some(contact) {
            return;
        }
        self.followed = None;
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
