//! The contacts of a ball chain: their reports, their fade when another chain takes the place, and
//! their recording for the editor.

use super::super::events::{self, ContactEventKind};
use crate::body::Point;
use crate::contact::ContactReport;
use crate::contact::recording::{ContactRecording, ContactWith, RecordedPoint, RecordingBuffer};
use crate::rigid_body::chain::{Chain, Forces, MAX_CONTACTS};

/// A contact under way.
#[derive(Clone, Copy, Debug)]
pub struct ChainContact {
    /// Since its onset, s.
    pub duration_s: f64,
    pub speed_in_m_per_s: f64,
    /// Momentum passed on so far, N s.
    pub impulse_ns: f64,
    point: Point,
    pub is_heard: bool,
}

/// One step of a contact: compression and approach before and after it, and the force.
pub struct ChainStep {
    pub before: (f64, f64),
    pub after: (f64, f64),
    pub force_n: f64,
    pub h_s: f64,
}

impl ChainStep {
    /// How long before its end the two separated, s, if they did.
    pub fn separated_s(&self) -> Option<f64> {
        let (x_m, approach) = self.after;
        let ago_s = if approach < 0.0 { (x_m.min(0.0) / approach).min(self.h_s) } else { 0.0 };
        (self.force_n == 0.0 || x_m <= 0.0).then_some(ago_s)
    }
}

impl ChainContact {
    /// A contact that begins within `step`.
    pub fn begin(step: &ChainStep, point: Point, is_heard: bool) -> Self {
        let (gap_m, speed) = (-step.before.0.min(0.0), step.before.1);
        // Without the part of the step before the gap closed.
        let wait_s = if speed > 0.0 { (gap_m / speed).min(step.h_s) } else { 0.0 };
        Self {
            duration_s: -wait_s,
            speed_in_m_per_s: speed.max(0.0),
            impulse_ns: 0.0,
            point,
            is_heard,
        }
    }

    /// The report of the contact. `reduced_kg`: reduced mass; `ago_s`: time from the separation to
    /// the end of the `last` step; `ended_s`: time from the start of the sample.
    pub fn report(
        &self,
        last: &ChainStep,
        ago_s: f64,
        reduced_kg: f64,
        ended_s: f64,
    ) -> ContactReport {
        ContactReport {
            ended_s,
            mass_kg: reduced_kg,
            v_in_m_per_s: self.speed_in_m_per_s,
            own_in_m_per_s: self.speed_in_m_per_s,
            v_out_m_per_s: -(-last.after.1).max(0.0),
            duration_s: (self.duration_s - ago_s).max(0.0),
            separation_m: last.after.0.max(0.0),
            ..ContactReport::default()
        }
    }

    /// The event to report.
    pub fn event(&self, report: &ContactReport) -> ContactEventKind {
        events::ended(report, self.point, report.mass_kg, 0.0, None)
    }
}

/// A chain that another has replaced. Only the contacts of that moment are left of it.
#[derive(Clone, Debug)]
pub struct FadingChain {
    pub chain: Chain,
    /// Which contacts have not separated yet.
    pub touch: [bool; MAX_CONTACTS],
    /// Progress of the lift-off, 1 to 0.
    pub hold: f64,
}

impl FadingChain {
    /// One step. Returns the remaining forces.
    pub fn step(&mut self, h_s: f64) -> Forces {
        self.chain.step(h_s);
        let share = self.hold * self.hold * (3.0 - 2.0 * self.hold);
        std::array::from_fn(|i| {
            self.touch[i] &= self.chain.forces_n()[i] > 0.0;
            if self.touch[i] { share * self.chain.forces_n()[i] } else { 0.0 }
        })
    }
}

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
