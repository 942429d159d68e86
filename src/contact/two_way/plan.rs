//! What a rider asks for, and what is known of its next touch.

use super::{Beater, Ground, MOST_STEPS, Outlook, Rider, SEATS, Seated};

/// How finely a rider is to be stepped: sub-steps per sample that it asks for, and with which it would do; powers of two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub wanted: u32,
    pub needed: u32,
}

impl Plan {
    /// None if it cannot touch within a sample from now.
    pub fn new(rider: &mut dyn Rider, outlook: &Outlook, ground: &impl Ground, seat: usize, dt_s: f64) -> Option<Self> {
        let lightness = |time_s: f64| ground.per_mass_per_kg(seat, time_s);
        let wanted = rider.steps_wanted(outlook, &lightness, dt_s)?;
        let needed = rider.steps_needed(wanted);
        let [wanted, needed] = [wanted, needed].map(|steps| steps.clamp(1, MOST_STEPS).next_power_of_two());
        Some(Self { wanted, needed })
    }

    /// That of a beater, which may find that it is gone.
    pub fn of(beater: &mut Beater, ground: &impl Ground, seat: usize, dt_s: f64) -> Option<Self> {
        // In contact the steps follow from what is, and not from what may come.
        let outlook = if beater.is_in_contact() { Outlook::default() } else { ground.outlook(seat) };
        beater.leave_for_good(&outlook);
        if beater.is_active() { Self::new(beater, &outlook, ground, seat, dt_s) } else { None }
    }

    /// The same with no fewer than `steps`.
    pub fn at_least(self, steps: u32) -> Self {
        Self { wanted: self.wanted.max(steps), needed: self.needed.max(steps) }
    }
}

/// Whether none of the riders can touch within a step that nothing pushes. Both ends of it are known exactly, and between them no
/// gap is narrower than the straight line by more than `a h^2/8`, where the surface is never accelerated by more than a. (Weight
/// bends it the other way.)
pub(super) fn is_clear(
    riders: &[Seated<'_>],
    ground: &mut impl Ground,
    unrest_m_per_s2: &[f64; SEATS],
    step: u32,
    dt_s: f64,
) -> bool {
    let h_s = dt_s / f64::from(MOST_STEPS / step);
    let bend_m = |seat: usize| unrest_m_per_s2[seat] * h_s * h_s / 8.0;
    // What costs nothing first.
    if riders.iter().any(|Seated { seat, rider }| rider.gap_after_m(0.0, 0.0) <= bend_m(*seat)) {
        return false;
    }
    ground.prepare(MOST_STEPS / step, dt_s);
    riders.iter().all(|Seated { seat, rider }| rider.gap_after_m(ground.free_m(*seat), h_s) > bend_m(*seat))
}

/// The gap of a rider that nothing pushes, one of `steps` of the sample from now, while others press.
pub(super) fn gap_after_m(
    rider: &dyn Rider,
    ground: &mut impl Ground,
    seat: usize,
    others_n: &[f64; SEATS],
    steps: u32,
    dt_s: f64,
) -> f64 {
    ground.prepare(steps, dt_s);
    let pressed_m = others_n.iter().enumerate().filter(|(other, force_n)| *other != seat && **force_n > 0.0);
    let pressed_m: f64 = pressed_m.map(|(other, force_n)| force_n * ground.mobility_m_per_n(seat, other)).sum();
    rider.gap_after_m(ground.free_m(seat) + pressed_m, dt_s / f64::from(steps))
}

/// For a touch that begins within the next `step`, or has just begun: how long after the onset the surface swings back, s; endless if
/// it does not. Such a graze may be shorter than any contact that its spring ends.
///
/// The gap at the start, in the middle and at the end of the step gives the speed v at the touch and the acceleration a with which
/// the two part again; the deepest point comes v/a later. `others_n` is what presses on the other seats, taken to go on like that.
pub(super) fn graze_s(
    rider: &dyn Rider,
    ground: &mut impl Ground,
    seat: usize,
    others_n: &[f64; SEATS],
    step: u32,
    dt_s: f64,
) -> f64 {
    // The shortest step has no middle.
    let step = step.max(2);
    let mut gap_m = |steps: u32| gap_after_m(rider, ground, seat, others_n, steps, dt_s);
    let steps = MOST_STEPS / step;
    let (start_m, middle_m, end_m) = (rider.gap_after_m(0.0, 0.0), gap_m(2 * steps), gap_m(steps));
    let h_s = dt_s / f64::from(steps);
    let parting_m_per_s2 = 4.0 * (start_m - 2.0 * middle_m + end_m) / (h_s * h_s);
    let closing_m_per_s = (start_m - end_m) / h_s + 0.5 * parting_m_per_s2 * h_s;
    let square = closing_m_per_s * closing_m_per_s - 2.0 * parting_m_per_s2 * start_m.max(0.0);
    if parting_m_per_s2 > 0.0 && closing_m_per_s > 0.0 && square > 0.0 {
        square.sqrt() / parting_m_per_s2
    } else {
        f64::INFINITY
    }
}

#[cfg(test)]
mod tests;
