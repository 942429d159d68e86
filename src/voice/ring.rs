//! The inner loop of a voice: in long stretches while nothing can touch the body, sample by sample while something may.

use super::happening::{Happening, Happenings, What};
use super::object::Object;
use super::{Voice, World};
use crate::body::Drive;
use crate::body::bank::CHUNK;
use crate::body::kernel::MOMENTS;
use crate::patch::{Param, Patch};

impl Voice {
    /// Ring for at most [`CHUNK`] samples, with the strikers that are on the body. `done` samples of the block came before.
    pub(super) fn ring(
        &mut self,
        world: &World,
        left: &mut [f64],
        right: &mut [f64],
        done: usize,
        told: &mut Happenings,
    ) {
        self.air.set_mix(world.patch.get(Param::Air));
        if self.alone {
            self.bank.process(&mut self.object.modes, left, right);
            return self.air.pass(0..left.len());
        }
        let (note, patch) = (self.note.unwrap_or_default(), world.patch);
        let mut n = 0;
        while n < left.len() {
            if self.only_rolls() {
                n = self.roll_on(patch, [&mut *left, &mut *right], n, |n, after_s, what| {
                    let _ = told.try_push(Happening { offset: done + n, after_s, note, what });
                });
                continue;
            }
            let pushed = self.push_smoothly(patch, [&mut left[n..], &mut right[n..]], n);
            if pushed > 0 {
                n += pushed;
                continue;
            }
            // Nobody may be listening: what does not fit is forgotten.
            let mut tell = |after_s, what| {
                let _ = told.try_push(Happening { offset: done + n, after_s, note, what });
            };
            for _ in 0..self.let_fall(patch) {
                tell(0.0, What::Rest);
            }
            let forces_n = world.forces_n.get(done + n..).unwrap_or_default();
            let room = self.pushed.silent_samples(forces_n, left.len() - n);
            let alone = if room == 0 { 0 } else { self.untouched(room, CHUNK - self.since_tick - n) };
            if alone > 0 {
                let end = n + alone;
                self.bank.process(&mut self.object.modes, &mut left[n..end], &mut right[n..end]);
                self.riders.coasted(&mut self.bank, &self.object.modes, alone);
                self.thrown.pass(alone);
                self.pushed.pass(alone);
                self.air.pass(n..end);
                n = end;
                continue;
            }
            let impulse_ns;
            ((left[n], right[n]), impulse_ns) =
                self.touched(patch, forces_n.first().copied().unwrap_or_default(), &mut tell);
            self.air.hear(n, impulse_ns);
            n += 1;
        }
    }

    /// Whether something rolls over the body and nothing else is near it.
    fn only_rolls(&self) -> bool {
        let others =
            self.pushed.is_on() || self.hands.are_touching() || self.thrown.are_active() || self.row.is_active();
        self.riders.only_roll() && !others
    }

    /// Let it roll to the end of `out`, or until it is gone. Returns where that is.
    fn roll_on(
        &mut self,
        patch: &Patch,
        [left, right]: [&mut [f64]; 2],
        mut n: usize,
        mut tell: impl FnMut(usize, f64, What),
    ) -> usize {
        while n < left.len() && self.riders.only_roll() {
            let tell = |after_s, what| tell(n, after_s, what);
            self.riders.advance(&self.object.scene(patch), &mut self.bank, tell);
            self.object.modes.move_on(1);
            (left[n], right[n]) = self.bank.hear(&self.object.modes);
            self.air.hear(n, self.riders.take_impulse_ns());
            n += 1;
        }
        n
    }

    /// The samples to come in which one striker alone pushes smoothly, as most do most of the time; says how many those were. `n`: samples
    /// of the chunk that came before.
    fn push_smoothly(&mut self, patch: &Patch, [left, right]: [&mut [f64]; 2], n: usize) -> usize {
        let others = self.riders.are_active() || self.thrown.are_active() || self.row.is_active();
        let Object { modes, .. } = &self.object;
        if others || self.pushed.is_on() || modes.are_moving() || self.bank.live() > modes.len {
            return 0;
        }
        let mut forces = [[0.0; MOMENTS]; CHUNK];
        let most = left.len().min(CHUNK);
        let Some((samples, step, gains)) = self.hands.push_smoothly(&self.object.scene(patch), &mut forces[..most])
        else {
            return 0;
        };
        let forces = &forces[..samples];
        let out = [&mut left[..samples], &mut right[..samples]];
        self.bank.push_and_hear(&mut self.object.modes, step, gains, forces, out);
        for (n, [impulse_ns, ..]) in (n..).zip(forces) {
            self.air.hear(n, *impulse_ns);
        }
        samples
    }

    /// How many of the next samples, `room` at most, nothing touches the body; strikers have flown by then. `tick`: until
    /// the body may change.
    fn untouched(&mut self, room: usize, tick: usize) -> usize {
        let dt_s = self.object.dt_s();
        let clear = self.riders.clear_samples(&mut self.bank, &self.object.modes, dt_s, tick).min(room);
        if clear == 0 {
            return 0;
        }
        let clear = self.thrown.quiet_samples(clear, dt_s);
        let clear = if self.row.is_active() {
            let clear = self.hands.airborne(clear, dt_s);
            self.row.fly(clear, dt_s)
        } else {
            clear
        };
        if self.hands.are_touching() { self.hands.fly(clear, dt_s) } else { clear }
    }

    /// One sample of the body and of all that may touch it; what is heard, and the impulse of the contacts in N s.
    fn touched(&mut self, patch: &Patch, force_n: f64, tell: &mut impl FnMut(f64, What)) -> ((f64, f64), f64) {
        if self.riders.are_active() {
            self.riders.advance(&self.object.scene(patch), &mut self.bank, &mut *tell);
            self.object.modes.move_on(1);
        } else {
            self.bank.advance(&mut self.object.modes);
        }
        let (scene, bank) = (self.object.scene(patch), &mut self.bank);
        let mut impulse_ns = self.riders.take_impulse_ns();
        let mut take = |drive: &Drive| {
            bank.take(scene.modes, drive);
            impulse_ns += drive.impulse_ns();
        };
        self.hands.advance(&scene, &mut self.budget, &mut take, &mut *tell);
        self.row.advance(&scene, self.hands.steps(), &mut take, tell);
        self.pushed.advance(force_n, &scene, self.hands.steps(), |drive| bank.take(scene.modes, drive));
        self.thrown.pass(1);
        (self.bank.hear(&self.object.modes), impulse_ns)
    }
}
