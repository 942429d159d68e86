//! The modal body as a compliant surface, for two-way contact.
//!
//! To solve for the force, a contact needs the free displacement of the surface in the step and its
//! change per force. Both are exact: over a step with constant forces every mode has a closed
//! solution. [`CoupledModes`] holds the coefficients of such steps and the contact points; the
//! state stays in the [`Bank`].

mod surface;

use std::cell::Cell;

use super::kernel::RowsMut;
use super::{Bank, MAX_MODES, Modes, Row};
use crate::contact::coupled::{MAX_CONTACT_SLOTS, MotionBounds};
pub use surface::CoupledModesSurface;

/// Number of cached step lengths: six of a free flight, and those of two contacts.
const CACHED_STEPS: usize = 8;

/// Steps without a force after which bounds are recomputed: by then the modes have decayed.
const MAX_AGE: u32 = 32;

/// Passes over the modes per step, including reads before it. Reads between steps do not count:
/// their number depends on the host's block size.
const PASSES_PER_STEP: u32 = 2;

/// Mode shapes at one contact slot.
#[derive(Clone, Debug)]
struct SlotGains {
    /// Deflection phi of each mode.
    shape: Row,
    /// phi/m, 1/kg.
    gain: Row,
}

impl SlotGains {
    fn new(capacity: usize) -> Self {
        Self { shape: Row::new(capacity), gain: Row::new(capacity) }
    }
}

/// Bounds on the free motion of a slot, for one state of the bank.
#[derive(Clone, Copy, Debug)]
struct CachedBounds {
    slot: usize,
    /// [State](Bank::changes) of the bank.
    changes: u64,
    motion_bounds: MotionBounds,
    /// Sum of w |phi| |y|, m/s^2.
    max_acceleration_m_per_s2: f64,
    /// Steps without a force since it was computed; the bounds stay valid, because free motion only
    /// decays.
    age: u32,
}

/// Free displacement of a slot in the next step, known from the last push.
#[derive(Clone, Copy, Debug)]
struct NextStep {
    slot: usize,
    /// Index of the cached step length.
    at: usize,
    /// [State](Bank::changes) of the bank that it is valid for.
    changes: u64,
    free_m: f64,
}

/// Coefficients for two-way contact with a body.
#[derive(Clone, Debug)]
pub struct CoupledModes {
    /// Inverse of each modal mass, 1/kg, valid for the first `len` modes.
    per_mass_per_kg: Row,
    len: usize,
    points: [SlotGains; MAX_CONTACT_SLOTS],
    steps: [StepRows; CACHED_STEPS],
    /// Time stamps of the last use of each cached step, and the index of the current one.
    last_used: [u64; CACHED_STEPS],
    at: usize,
    /// For each cached step a slot and its own mobility, m/N, until either changes.
    own_mobility: [Option<(usize, f64)>; CACHED_STEPS],
    /// The bounds read last: several callers read the same slot before a contact.
    cached_bounds: Cell<Option<CachedBounds>>,
    next_step: Option<NextStep>,
    ratios: Ratios,
    /// The slot that glides, and its remaining samples; `glide_by` is its change per sample.
    gliding: Option<(usize, usize)>,
    glide_by: Row,
    /// Impulse of all forces since the last [`Self::take_impulse_ns`], N s.
    impulse_ns: f64,
    /// Passes over eight modes since the work was last taken.
    work: Cell<u32>,
}

impl Default for CoupledModes {
    fn default() -> Self {
        Self::new(MAX_MODES)
    }
}

impl CoupledModes {
    /// No body, with room for `capacity` modes. Allocates.
    pub fn new(capacity: usize) -> Self {
        Self {
            per_mass_per_kg: Row::filled(capacity, 1.0),
            len: capacity,
            points: std::array::from_fn(|_| SlotGains::new(capacity)),
            steps: std::array::from_fn(|_| StepRows::new(capacity)),
            last_used: [0; CACHED_STEPS],
            at: 0,
            own_mobility: [None; CACHED_STEPS],
            cached_bounds: Cell::default(),
            next_step: None,
            ratios: Ratios::new(capacity),
            gliding: None,
            glide_by: Row::new(capacity),
            impulse_ns: 0.0,
            work: Cell::new(0),
        }
    }

    /// Every per-mode row, for fault-injection tests.
    pub(crate) fn rows_in_memory(&mut self) -> Vec<&mut Row> {
        let mut rows = vec![&mut self.per_mass_per_kg, &mut self.glide_by];
        rows.extend(self.points.iter_mut().flat_map(|SlotGains { shape, gain }| [shape, gain]));
        rows.extend(self.steps.iter_mut().flat_map(StepRows::rows_in_memory));
        rows.extend(self.ratios.rows_in_memory());
        rows
    }

    /// Restores the state of [`Self::new`].
    pub fn renew(&mut self) {
        for SlotGains { shape, gain } in &mut self.points {
            shape.fill(0.0);
            gain.fill(0.0);
        }
        self.per_mass_per_kg.fill(1.0);
        self.glide_by.fill(0.0);
        (self.len, self.last_used, self.at) = (self.glide_by.len(), [0; CACHED_STEPS], 0);
        (self.gliding, self.impulse_ns) = (None, 0.0);
        self.work.set(0);
        self.forget_steps();
    }

    /// Sets the modal masses, kg, each above 0, and with them the number of modes. Points that are
    /// already set keep the old masses.
    pub fn set_masses(&mut self, mass_kg: &[f64]) {
        self.len = mass_kg.len().min(self.glide_by.len());
        for (per_mass_per_kg, mass_kg) in self.per_mass_per_kg.iter_mut().zip(mass_kg) {
            *per_mass_per_kg = 1.0 / mass_kg;
        }
    }

    /// Like [`Self::set_masses`] with one mass for all modes, kg.
    pub fn set_mass(&mut self, mass_kg: f64, len: usize) {
        self.len = len.min(self.glide_by.len());
        self.per_mass_per_kg[..self.len].fill(1.0 / mass_kg);
    }

    /// Places a slot where the modes deflect by `shape`.
    ///
    /// The same shape drives the mode and reads its displacement; otherwise the force could do more
    /// work on the body than it takes from the striker.
    pub fn set_point(&mut self, slot: usize, shape: &[f64]) {
        let point = &mut self.points[slot];
        point.shape[..self.len].copy_from_slice(&shape[..self.len]);
        for (gain, (shape, per_mass_per_kg)) in
            point.gain.iter_mut().zip(shape.iter().zip(&self.per_mass_per_kg)).take(self.len)
        {
            *gain = shape * per_mass_per_kg;
        }
        self.gliding = self.gliding.filter(|(gliding, _)| *gliding != slot);
        self.forget_mobilities();
    }

    /// True while a slot glides.
    pub fn is_gliding(&self) -> bool {
        self.gliding.is_some()
    }

    /// Moves a slot to where the modes deflect by `shape` over the next `samples`;
    /// [`CoupledModes::glide`] advances it. A slot that jumped under load would cause a click.
    pub fn aim_point(&mut self, slot: usize, shape: &[f64], samples: usize) {
        let from = &self.points[slot].shape;
        let share = 1.0 / samples as f64;
        self.gliding = Some((slot, samples));
        for (by, (to, from)) in self.glide_by.iter_mut().zip(shape.iter().zip(from)).take(self.len)
        {
            *by = share * (to - from);
        }
    }

    /// Advances the gliding slot by one sample.
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
        self.forget_mobilities();
    }

    /// Empties the cached steps, after the modes have changed.
    pub fn forget_steps(&mut self) {
        for rows in &mut self.steps {
            rows.forget();
        }
        self.ratios.forget();
        self.forget_mobilities();
    }

    fn forget_mobilities(&mut self) {
        self.own_mobility = [None; CACHED_STEPS];
        self.cached_bounds.set(None);
        self.next_step = None;
    }

    /// The body as a surface for contacts.
    pub fn on<'a>(&'a mut self, bank: &'a mut Bank, modes: &'a Modes) -> CoupledModesSurface<'a> {
        bank.catch_up(modes);
        CoupledModesSurface { coupled_modes: self, bank, modes }
    }

    /// Impulse of all forces since the last call, N s.
    pub fn take_impulse_ns(&mut self) -> f64 {
        std::mem::take(&mut self.impulse_ns)
    }

    /// Ends the glide and clears impulse and work.
    pub fn reset(&mut self) {
        (self.gliding, self.impulse_ns) = (None, 0.0);
        self.work.set(0);
        self.forget_mobilities();
    }

    /// Adds the work of passes over `modes` modes, in groups of eight.
    fn count(&self, passes: u32, modes: usize) {
        self.work.set(self.work.get().saturating_add(passes * modes.div_ceil(8) as u32));
    }

    fn rows(&self) -> &StepRows {
        &self.steps[self.at]
    }
}

/// Coefficients of one step of length h: `y -> rotation y + force_response (phi/m) F`.
///
/// The displacement `q = Im y/w` changes by `Im(s force_response y)/w`, and by
/// `Im(force_response)/w` per unit of (phi/m) F, which is never negative.
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

    /// Every per-mode row, for fault-injection tests.
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

    /// Step length, s; NaN if empty.
    pub fn step_s(&self) -> f64 {
        self.step_s
    }

    /// Exact equality: the same number is the same step.
    pub fn is_for(&self, step_s: f64) -> bool {
        self.step_s == step_s
    }

    /// Computes the coefficients for steps of `step_s`.
    pub fn set(&mut self, modes: &Modes, step_s: f64) {
        self.set_first(modes, modes.len, step_s);
    }

    /// Like [`Self::set`] for the first `len` modes.
    pub fn set_first(&mut self, modes: &Modes, len: usize, step_s: f64) {
        self.step_s = step_s;
        let rotation =
            RowsMut { re: &mut self.rotation_re[..len], im: &mut self.rotation_im[..len] };
        let force_response = RowsMut {
            re: &mut self.force_response_re[..len],
            im: &mut self.force_response_im[..len],
        };
        modes.kernel.exponential(
            &modes.decay_per_s[..len],
            &modes.omega[..len],
            step_s,
            rotation,
            force_response,
        );
        // Padding of the last group does not move.
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

/// Coefficients of every mode that do not depend on the step length: bounds on its motion per unit
/// of amplitude |y|.
#[derive(Clone, Debug)]
pub(super) struct Ratios {
    /// Largest q per unit of |y|: 1/w, s.
    pub per_omega: Row,
    /// d/w.
    pub decay_ratio: Row,
    /// Largest q' per unit of |y|: `sqrt(1 + (d/w)^2)`.
    pub speed_ratio: Row,
    /// Largest q'' per unit of w |y|: the maximum of `1 + (d/w)^2` over the modes.
    pub max_acceleration: f64,
    known: bool,
}

impl Ratios {
    pub fn new(capacity: usize) -> Self {
        let zero = || Row::new(capacity);
        Self {
            known: false,
            per_omega: zero(),
            decay_ratio: zero(),
            speed_ratio: zero(),
            max_acceleration: 1.0,
        }
    }

    /// Every per-mode row, for fault-injection tests.
    pub fn rows_in_memory(&mut self) -> [&mut Row; 3] {
        [&mut self.per_omega, &mut self.decay_ratio, &mut self.speed_ratio]
    }

    pub fn forget(&mut self) {
        self.known = false;
    }

    /// Computes the coefficients if they are not valid.
    pub fn prepare(&mut self, modes: &Modes) {
        if !std::mem::replace(&mut self.known, true) {
            self.set(modes);
        }
    }

    /// Computes the coefficients.
    pub fn set(&mut self, modes: &Modes) {
        self.max_acceleration = 1.0;
        for i in 0..modes.len {
            let (d, w) = (modes.decay_per_s[i], modes.omega[i]);
            // Padding of the last group does not move.
            let per_omega = if w > 0.0 { 1.0 / w } else { 0.0 };
            let decay_ratio = d * per_omega;
            self.per_omega[i] = per_omega;
            self.decay_ratio[i] = decay_ratio;
            self.speed_ratio[i] =
                if w > 0.0 { (1.0 + decay_ratio * decay_ratio).sqrt() } else { 0.0 };
            self.max_acceleration = self.max_acceleration.max(1.0 + decay_ratio * decay_ratio);
        }
    }
}

#[cfg(test)]
mod tests;
