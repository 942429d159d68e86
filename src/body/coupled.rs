//! The modal body as something that gives way under what presses on it.
//!
//! A striker that feels the body has to know, before its force is chosen, where the surface would
//! go without it and how much each newton adds to that. Both are exact: over a step with constant
//! forces every mode has a closed solution. A [`CoupledModes`] keeps the coefficients of such steps
//! and the points that are touched; the state stays in the [`Bank`].

mod surface;

use std::cell::Cell;

use super::kernel::RowsMut;
use super::{Bank, MAX_MODES, Modes, Row};
use crate::contact::coupled::{MAX_CONTACT_SLOTS, MotionBounds};
pub use surface::CoupledModesSurface;

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

/// How every mode moves over one step of length h: `y -> turn y + force_response (phi/m) F`. Its
/// displacement `q = Im y/w` changes by `Im(s force_response y)/w`, and by `Im(force_response)/w`
/// per unit of (phi/m) F, which is never negative.
#[derive(Clone, Debug)]
struct StepRows {
    /// e^(s h).
    pub rotation_re: Row,
    pub rotation_im: Row,
    /// (e^(s h) - 1)/s, s.
    pub force_response_re: Row,
    pub force_response_im: Row,
    step_s: f64,
}

impl StepRows {
    pub fn new(capacity: usize) -> Self {
        let zero = || Row::new(capacity);
        Self {
            step_s: f64::NAN,
            rotation_re: zero(),
            rotation_im: zero(),
            force_response_re: zero(),
            force_response_im: zero(),
        }
    }

    /// All that is kept for each mode.
    pub fn rows_in_memory(&mut self) -> [&mut Row; 4] {
        [
            &mut self.rotation_re,
            &mut self.rotation_im,
            &mut self.force_response_re,
            &mut self.force_response_im,
        ]
    }

    pub fn forget(&mut self) {
        self.step_s = f64::NAN;
    }

    /// What it is ready for, s.
    pub fn step_s(&self) -> f64 {
        self.step_s
    }

    /// Exact equality is meant: the same number again is the same step.
    pub fn is_for(&self, step_s: f64) -> bool {
        self.step_s == step_s
    }

    /// Make ready for steps of `step_s`.
    pub fn set(&mut self, modes: &Modes, step_s: f64) {
        self.set_first(modes, modes.len, step_s);
    }

    /// The same for the first `len` modes alone.
    pub fn set_first(&mut self, modes: &Modes, len: usize, step_s: f64) {
        self.step_s = step_s;
        let turn = RowsMut { re: &mut self.rotation_re[..len], im: &mut self.rotation_im[..len] };
        let force_response = RowsMut {
            re: &mut self.force_response_re[..len],
            im: &mut self.force_response_im[..len],
        };
        modes.kernel.exponential(
            &modes.decay_per_s[..len],
            &modes.omega[..len],
            step_s,
            turn,
            force_response,
        );
        // Padding of the last group stays where it is.
        for i in (0..len).filter(|&i| modes.omega[i] == 0.0) {
            self.clear(i);
        }
    }

    fn clear(&mut self, mode: usize) {
        for row in [
            &mut self.rotation_re,
            &mut self.rotation_im,
            &mut self.force_response_re,
            &mut self.force_response_im,
        ] {
            row[mode] = 0.0;
        }
    }
}

/// What is known of every mode whatever the step: with |y| its amplitude, most that there can be of
/// its motion.
#[derive(Clone, Debug)]
pub(super) struct Ratios {
    /// Most of q per unit of |y|: 1/w, s.
    pub per_omega: Row,
    /// d/w.
    pub slack: Row,
    /// Most of q' per unit of |y|: `sqrt(1 + (d/w)^2)`.
    pub quickness: Row,
    /// Most of q'' per unit of w |y|: the largest `1 + (d/w)^2` of all modes.
    pub max_acceleration: f64,
    known: bool,
}

impl Ratios {
    pub fn new(capacity: usize) -> Self {
        let zero = || Row::new(capacity);
        Self {
            known: false,
            per_omega: zero(),
            slack: zero(),
            quickness: zero(),
            max_acceleration: 1.0,
        }
    }

    /// All that is kept for each mode.
    pub fn rows_in_memory(&mut self) -> [&mut Row; 3] {
        [&mut self.per_omega, &mut self.slack, &mut self.quickness]
    }

    pub fn forget(&mut self) {
        self.known = false;
    }

    /// Make ready, if that is not so already.
    pub fn prepare(&mut self, modes: &Modes) {
        if !std::mem::replace(&mut self.known, true) {
            self.set(modes);
        }
    }

    /// Take over modes.
    pub fn set(&mut self, modes: &Modes) {
        self.max_acceleration = 1.0;
        for i in 0..modes.len {
            let (d, w) = (modes.decay_per_s[i], modes.omega[i]);
            // Padding of the last group does not move.
            let per_omega = if w > 0.0 { 1.0 / w } else { 0.0 };
            let slack = d * per_omega;
            self.per_omega[i] = per_omega;
            self.slack[i] = slack;
            self.quickness[i] = if w > 0.0 { (1.0 + slack * slack).sqrt() } else { 0.0 };
            self.max_acceleration = self.max_acceleration.max(1.0 + slack * slack);
        }
    }
}

#[cfg(test)]
mod tests;
