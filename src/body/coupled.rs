//! The modal body as something that gives way under what presses on it.
//!
//! A striker that feels the body has to know, before its force is chosen, where the surface would
//! go without it and how much each newton adds to that. Both are exact: over a step with constant
//! forces every mode has a closed solution. A [`CoupledModes`] keeps the coefficients of such steps
//! and the points that are touched; the state stays in the [`Bank`].

mod rows;
mod single_slot;

use std::cell::Cell;

use super::kernel::{Rows, RowsMut};
use super::{Bank, MAX_MODES, Modes, Row};
use crate::contact::coupled::{CompliantSurface, MAX_CONTACT_SLOTS, MotionBounds};
pub(super) use rows::{Ratios, StepRows};

/// Step lengths that are kept prepared: the six of a flight, and those of two contacts.
const KEPT: usize = 8;

/// Steps without a force after which bounds are made anew: the modes have decayed.
const MAX_AGE: u32 = 32;

/// Passes over the modes that a step takes, with those that look at the body before it. What is
/// looked at between steps does not count: how often depends on the host's blocks.
const PASSES_PER_STEP: u32 = 2;

/// A point of the body, as the modes see it.
#[derive(Clone, Debug)]
struct SlotGains {
    /// Deflection phi of each mode there.
    shape: Row,
    /// phi/m, 1/kg.
    gain: Row,
}

impl SlotGains {
    fn new(capacity: usize) -> Self {
        Self { shape: Row::new(capacity), gain: Row::new(capacity) }
    }
}

/// All that can be said of a seat while nothing pushes, for one state of the bank.
#[derive(Clone, Copy, Debug)]
struct CachedBounds {
    slot: usize,
    /// The [state](Bank::changes).
    changes: u64,
    motion_bounds: MotionBounds,
    /// Sum of w |phi| |y|, m/s^2.
    max_acceleration_m_per_s2: f64,
    /// Steps without a force since it was made. Its bounds then only shrink, so that it still
    /// holds.
    age: u32,
}

/// Where a seat goes in the next step without a force, known from the last push.
#[derive(Clone, Copy, Debug)]
struct NextStep {
    slot: usize,
    /// Which of the kept lengths of step.
    at: usize,
    /// [State](Bank::changes) of the bank that it holds for.
    changes: u64,
    free_m: f64,
}

/// What a body needs to be touched in two ways, besides its modes and their state.
#[derive(Clone, Debug)]
pub struct CoupledModes {
    /// One over each modal mass, 1/kg, and of how many modes; of the others nothing is kept up.
    per_mass_per_kg: Row,
    len: usize,
    points: [SlotGains; MAX_CONTACT_SLOTS],
    kept: [StepRows; KEPT],
    /// When each of them was last in use, and which is now.
    used: [u64; KEPT],
    at: usize,
    /// For each of them a seat and its own mobility, m/N, as long as neither changes.
    own: [Option<(usize, f64)>; KEPT],
    /// The last one that was asked for: before a touch several look at the same seat, one after the
    /// other.
    cached_bounds: Cell<Option<CachedBounds>>,
    ahead: Option<NextStep>,
    ratios: Ratios,
    /// The one seat that moves, the samples it has left, and its way in each of them.
    gliding: Option<(usize, usize)>,
    glide_by: Row,
    /// What the forces came to since somebody asked, N s.
    impulse_ns: f64,
    /// Passes over eight modes since somebody asked.
    work: Cell<u32>,
}

impl Default for CoupledModes {
    fn default() -> Self {
        Self::new(MAX_MODES)
    }
}

impl CoupledModes {
    /// Of no body yet, with room for `capacity` modes. Allocates.
    pub fn new(capacity: usize) -> Self {
        Self {
            per_mass_per_kg: Row::filled(capacity, 1.0),
            len: capacity,
            points: std::array::from_fn(|_| SlotGains::new(capacity)),
            kept: std::array::from_fn(|_| StepRows::new(capacity)),
            used: [0; KEPT],
            at: 0,
            own: [None; KEPT],
            cached_bounds: Cell::default(),
            ahead: None,
            ratios: Ratios::new(capacity),
            gliding: None,
            glide_by: Row::new(capacity),
            impulse_ns: 0.0,
            work: Cell::new(0),
        }
    }

    /// All that is kept for each mode.
    pub(crate) fn rows_in_memory(&mut self) -> Vec<&mut Row> {
        let mut rows = vec![&mut self.per_mass_per_kg, &mut self.glide_by];
        rows.extend(self.points.iter_mut().flat_map(|SlotGains { shape, gain }| [shape, gain]));
        rows.extend(self.kept.iter_mut().flat_map(StepRows::rows_in_memory));
        rows.extend(self.ratios.rows_in_memory());
        rows
    }

    /// As new, whatever it held.
    pub fn renew(&mut self) {
        for SlotGains { shape, gain } in &mut self.points {
            shape.fill(0.0);
            gain.fill(0.0);
        }
        self.per_mass_per_kg.fill(1.0);
        self.glide_by.fill(0.0);
        (self.len, self.used, self.at) = (self.glide_by.len(), [0; KEPT], 0);
        (self.gliding, self.impulse_ns) = (None, 0.0);
        self.work.set(0);
        self.forget_steps();
    }

    /// Take the modal masses, kg, each above 0, of as many modes as there are. Points that are set
    /// keep the masses they were set with.
    pub fn set_masses(&mut self, mass_kg: &[f64]) {
        self.len = mass_kg.len().min(self.glide_by.len());
        for (per_mass_per_kg, mass_kg) in self.per_mass_per_kg.iter_mut().zip(mass_kg) {
            *per_mass_per_kg = 1.0 / mass_kg;
        }
    }

    /// The same where all modes have one mass, kg.
    pub fn set_mass(&mut self, mass_kg: f64, len: usize) {
        self.len = len.min(self.glide_by.len());
        self.per_mass_per_kg[..self.len].fill(1.0 / mass_kg);
    }

    /// Put a seat where the modes deflect by `shape`. The same number moves the mode and reads its
    /// displacement: only so does the force do no more work on the body than it takes from the
    /// striker.
    pub fn set_point(&mut self, slot: usize, shape: &[f64]) {
        let point = &mut self.points[slot];
        point.shape[..self.len].copy_from_slice(&shape[..self.len]);
        for (gain, (shape, per_mass_per_kg)) in
            point.gain.iter_mut().zip(shape.iter().zip(&self.per_mass_per_kg)).take(self.len)
        {
            *gain = shape * per_mass_per_kg;
        }
        self.gliding = self.gliding.filter(|(gliding, _)| *gliding != slot);
        self.forget_own();
    }

    /// Whether a seat is on its way to another place.
    pub fn is_gliding(&self) -> bool {
        self.gliding.is_some()
    }

    /// Move a seat to where the modes deflect by `shape`, within the next `samples`;
    /// [`CoupledModes::glide`] does a part of the way. A seat that jumped under a load would knock.
    pub fn aim_point(&mut self, slot: usize, shape: &[f64], samples: usize) {
        let from = &self.points[slot].shape;
        let share = 1.0 / samples as f64;
        self.gliding = Some((slot, samples));
        for (by, (to, from)) in self.glide_by.iter_mut().zip(shape.iter().zip(from)).take(self.len)
        {
            *by = share * (to - from);
        }
    }

    /// Let one sample of a seat's movement go by.
    pub fn glide(&mut self, modes: &Modes) {
        let Some((slot, left)) = self.gliding else { return };
        let SlotGains { shape, gain } = &mut self.points[slot];
        let n = modes.len;
        modes.kernel.glide(
            &mut shape[..n],
            &mut gain[..n],
            &self.glide_by[..n],
            &self.per_mass_per_kg[..n],
        );
        self.gliding = (left > 1).then_some((slot, left - 1));
        self.forget_own();
    }

    /// The modes have changed: forget the prepared steps.
    pub fn forget_steps(&mut self) {
        for rows in &mut self.kept {
            rows.forget();
        }
        self.ratios.forget();
        self.forget_own();
    }

    fn forget_own(&mut self) {
        self.own = [None; KEPT];
        self.cached_bounds.set(None);
        self.ahead = None;
    }

    /// The body as a ground to press on.
    pub fn on<'a>(&'a mut self, bank: &'a mut Bank, modes: &'a Modes) -> CoupledModesSurface<'a> {
        bank.catch_up(modes);
        CoupledModesSurface { coupled_modes: self, bank, modes }
    }

    /// What all forces came to since the last call, N s.
    pub fn take_impulse_ns(&mut self) -> f64 {
        std::mem::take(&mut self.impulse_ns)
    }

    /// Forgets what was pressed, and where.
    pub fn reset(&mut self) {
        (self.gliding, self.impulse_ns) = (None, 0.0);
        self.work.set(0);
        self.forget_own();
    }

    /// Counts passes over `modes` modes, in groups of eight.
    fn count(&self, passes: u32, modes: usize) {
        self.work.set(self.work.get().saturating_add(passes * modes.div_ceil(8) as u32));
    }

    fn rows(&self) -> &StepRows {
        &self.kept[self.at]
    }
}

/// A [`CoupledModes`] together with the modes that give way.
#[derive(Debug)]
pub struct CoupledModesSurface<'a> {
    coupled_modes: &'a mut CoupledModes,
    bank: &'a mut Bank,
    modes: &'a Modes,
}

impl CoupledModesSurface<'_> {
    fn prepare_rows(&mut self, step_s: f64) {
        let CoupledModes { kept, used, at, own, ahead, ratios, .. } = &mut *self.coupled_modes;
        if kept[*at].is_for(step_s) {
            return;
        }
        ratios.prepare(self.modes);
        let now = used[*at] + 1;
        *at = kept.iter().position(|rows| rows.is_for(step_s)).unwrap_or_else(|| {
            // The one not in use for the longest makes room.
            let oldest = (0..KEPT).min_by_key(|slot| used[*slot]).unwrap_or(0);
            kept[oldest].set(self.modes, step_s);
            own[oldest] = None;
            *ahead = ahead.filter(|ahead| ahead.at != oldest);
            oldest
        });
        used[*at] = now;
    }

    /// All modes as they are now.
    pub(super) fn state(&self) -> Rows<'_> {
        let (re, im) = self.bank.rows();
        Rows { re: &re[..self.modes.len], im: &im[..self.modes.len] }
    }

    fn cached_bounds(&self, slot: usize) -> CachedBounds {
        let CoupledModes { points, ratios, cached_bounds, .. } = &*self.coupled_modes;
        let changes = self.bank.changes();
        if let Some(known) =
            cached_bounds.get().filter(|known| (known.slot, known.changes) == (slot, changes))
        {
            return known;
        }
        let n = self.modes.len;
        let scales = [&ratios.per_omega[..n], &ratios.quickness[..n], &self.modes.omega[..n]];
        let [reach_m, speed_m_per_s, max_acceleration_m_per_s2, displacement_m] =
            self.modes.kernel.motion_bounds(&points[slot].shape[..n], scales, self.state());
        let motion_bounds = MotionBounds { displacement_m, reach_m, speed_m_per_s };
        let now = CachedBounds { slot, changes, motion_bounds, max_acceleration_m_per_s2, age: 0 };
        cached_bounds.set(Some(now));
        now
    }
}

impl CoupledModesSurface<'_> {
    /// The survey of a seat as it will be after a step without a force; none if it is not known, or
    /// old.
    fn bounds_after_free_step(&self, slot: usize) -> Option<CachedBounds> {
        let changes = self.bank.changes();
        let is_known = |cached_bounds: &CachedBounds| {
            (cached_bounds.slot, cached_bounds.changes) == (slot, changes)
                && cached_bounds.age < MAX_AGE
        };
        let cached_bounds = self.coupled_modes.cached_bounds.get().filter(is_known)?;
        let displacement_m = cached_bounds.motion_bounds.displacement_m + self.free_m(slot);
        Some(CachedBounds {
            motion_bounds: MotionBounds { displacement_m, ..cached_bounds.motion_bounds },
            age: cached_bounds.age + 1,
            ..cached_bounds
        })
    }
}

impl CompliantSurface for CoupledModesSurface<'_> {
    fn prepare(&mut self, steps: u32, dt_s: f64) {
        self.prepare_rows(dt_s / f64::from(steps));
    }

    fn free_m(&self, slot: usize) -> f64 {
        let n = self.modes.len;
        let CoupledModes { points, ratios, ahead, at, .. } = &*self.coupled_modes;
        let is_known = |known: &NextStep| {
            (known.slot, known.at, known.changes) == (slot, *at, self.bank.changes())
        };
        if let Some(known) = ahead.filter(is_known) {
            return known.free_m;
        }
        let rows = self.coupled_modes.rows();
        let force_response =
            Rows { re: &rows.force_response_re[..n], im: &rows.force_response_im[..n] };
        self.modes.kernel.free_displacement(
            &points[slot].shape[..n],
            &ratios.slack[..n],
            force_response,
            self.state(),
        )
    }

    fn mobility_m_per_n(&self, at: usize, from: usize) -> f64 {
        let n = self.modes.len;
        let CoupledModes { points, ratios, .. } = &*self.coupled_modes;
        let force_response_im = &self.coupled_modes.rows().force_response_im[..n];
        self.modes.kernel.dot4(
            &points[at].shape[..n],
            &points[from].gain[..n],
            force_response_im,
            &ratios.per_omega[..n],
        )
    }

    fn push(&mut self, forces_n: &[f64; MAX_CONTACT_SLOTS]) {
        let n = self.modes.len;
        let kernel = self.modes.kernel;
        let pressing = forces_n.iter().filter(|force_n| **force_n != 0.0).count() as u32;
        self.coupled_modes.count(PASSES_PER_STEP + pressing, n);
        let CoupledModes { points, kept, at, impulse_ns, .. } = &mut *self.coupled_modes;
        let rows = &kept[*at];
        *impulse_ns += forces_n.iter().sum::<f64>() * rows.step_s();
        let (re, im) = self.bank.rows_mut(n);
        let turn = Rows { re: &rows.rotation_re[..n], im: &rows.rotation_im[..n] };
        let force_response =
            Rows { re: &rows.force_response_re[..n], im: &rows.force_response_im[..n] };
        let mut pressing = points.iter().zip(forces_n).filter(|(_, force_n)| **force_n != 0.0);
        let y = RowsMut { re: &mut re[..n], im: &mut im[..n] };
        match pressing.next() {
            None => kernel.rotate(y, turn, 1),
            Some((point, &force_n)) => {
                kernel.push(y, turn, force_response, &point.gain[..n], &[force_n])
            }
        }
        for (point, &force_n) in pressing {
            kernel.press(
                RowsMut { re: &mut re[..n], im: &mut im[..n] },
                force_response,
                &point.gain[..n],
                force_n,
            );
        }
    }

    fn own_mobility_m_per_n(&mut self, slot: usize) -> f64 {
        let at = self.coupled_modes.at;
        match self.coupled_modes.own[at] {
            Some((known, mobility_m_per_n)) if known == slot => mobility_m_per_n,
            _ => {
                let mobility_m_per_n = self.mobility_m_per_n(slot, slot);
                self.coupled_modes.own[at] = Some((slot, mobility_m_per_n));
                mobility_m_per_n
            }
        }
    }

    fn push_one(&mut self, slot: usize, force_n: f64) {
        let n = self.modes.len;
        self.coupled_modes.count(PASSES_PER_STEP, n);
        let kept_bounds = if force_n == 0.0 { self.bounds_after_free_step(slot) } else { None };
        let CoupledModes { points, kept, at, ratios, impulse_ns, .. } = &mut *self.coupled_modes;
        let rows = &kept[*at];
        *impulse_ns += force_n * rows.step_s();
        let (re, im) = self.bank.rows_mut(n);
        let turn = Rows { re: &rows.rotation_re[..n], im: &rows.rotation_im[..n] };
        let force_response =
            Rows { re: &rows.force_response_re[..n], im: &rows.force_response_im[..n] };
        let y = RowsMut { re: &mut re[..n], im: &mut im[..n] };
        let SlotGains { shape, gain } = &points[slot];
        let rows = [&gain[..n], &shape[..n], &ratios.slack[..n]];
        let free_m =
            self.modes.kernel.push_and_free_displacement(y, turn, force_response, rows, force_n);
        let changes = self.bank.changes();
        self.coupled_modes
            .cached_bounds
            .set(kept_bounds.map(|cached_bounds| CachedBounds { changes, ..cached_bounds }));
        let CoupledModes { at, ahead, .. } = &mut *self.coupled_modes;
        // Most steps are followed by another of the same length.
        *ahead = Some(NextStep { slot, at: *at, changes, free_m });
    }

    fn displacement_m(&self, slot: usize) -> f64 {
        let n = self.modes.len;
        let shape = &self.coupled_modes.points[slot].shape[..n];
        self.modes.kernel.dot3(shape, self.state().im, &self.coupled_modes.ratios.per_omega[..n])
    }

    fn motion_bounds(&self, slot: usize) -> MotionBounds {
        self.cached_bounds(slot).motion_bounds
    }

    fn max_acceleration_m_per_s2(&self, slot: usize) -> f64 {
        self.coupled_modes.ratios.max_acceleration
            * self.cached_bounds(slot).max_acceleration_m_per_s2
    }

    /// A mode that swings back within the push counts for less: `1/(1 + (w t/2)^2)`.
    fn per_mass_per_kg(&self, slot: usize, time_s: f64) -> f64 {
        let n = self.modes.len;
        let SlotGains { shape, gain } = &self.coupled_modes.points[slot];
        if time_s == 0.0 {
            return self.modes.kernel.dot(&shape[..n], Rows { re: &gain[..n], im: &gain[..n] }).0;
        }
        self.modes.kernel.inverse_mass(
            &shape[..n],
            &gain[..n],
            &self.modes.omega[..n],
            0.5 * time_s,
        )
    }

    fn take_work(&mut self) -> u32 {
        self.coupled_modes.work.take()
    }

    /// `m/2 (q'^2 + w0^2 q^2)` of each mode, with nothing left out.
    fn energy_j(&self) -> f64 {
        let (re, im) = self.bank.rows();
        (0..self.modes.len)
            .filter(|&i| self.modes.omega[i] > 0.0)
            .map(|i| {
                let (d, w) = (self.modes.decay_per_s[i], self.modes.omega[i]);
                let q = im[i] / w;
                let rate = re[i] - d * q;
                0.5 / self.coupled_modes.per_mass_per_kg[i]
                    * (rate * rate + (d * d + w * w) * q * q)
            })
            .sum()
    }
}

#[cfg(test)]
mod tests;
