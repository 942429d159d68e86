//! The inner loop of a voice: in long stretches while nothing can touch the body, sample by sample
//! while something may.

use super::events::{ContactEvent, ContactEventKind, ContactEvents};
use super::object::Object;
use super::{Voice, VoiceContext};
use crate::body::Drive;
use crate::body::bank::CHUNK;
use crate::body::kernel::MOMENTS;
use crate::params::{Param, Patch};

impl Voice {
    /// Ring for at most [`CHUNK`] samples, with the strikers that are on the body. `done` samples
    /// of the block came before.
    pub(super) fn render(
        &mut self,
        context: &VoiceContext,
        left: &mut [f64],
        right: &mut [f64],
        done: usize,
        reported: &mut ContactEvents,
    ) {
        self.air.set_mix(context.patch.get(Param::Air));
        if self.alone {
            self.bank.process(&mut self.object.modes, left, right);
            return self.air.pass(0..left.len());
        }
        let (note, patch) = (self.note.unwrap_or_default(), context.patch);
        let mut n = 0;
        while n < left.len() {
            if self.only_rolls() {
                n = self.roll_on(patch, [&mut *left, &mut *right], n, |n, after_s, what| {
                    let _ =
                        reported.try_push(ContactEvent { offset: done + n, after_s, note, what });
                });
                continue;
            }
            let external_force = self.push_smoothly(patch, [&mut left[n..], &mut right[n..]], n);
            if external_force > 0 {
                n += external_force;
                continue;
            }
            // Nobody may be listening: what does not fit is forgotten.
            let mut report_event = |after_s, what| {
                let _ = reported.try_push(ContactEvent { offset: done + n, after_s, note, what });
            };
            for _ in 0..self.let_fall(patch) {
                report_event(0.0, ContactEventKind::Rest);
            }
            let forces_n = context.forces_n.get(done + n..).unwrap_or_default();
            let room = self.external_force.silent_samples(forces_n, left.len() - n);
            let alone =
                if room == 0 { 0 } else { self.untouched(room, CHUNK - self.since_tick - n) };
            if alone > 0 {
                let end = n + alone;
                self.bank.process(&mut self.object.modes, &mut left[n..end], &mut right[n..end]);
                self.coupled_contacts.coasted(&mut self.bank, &self.object.modes, alone);
                self.tumbling.pass(alone);
                self.external_force.pass(alone);
                self.air.pass(n..end);
                n = end;
                continue;
            }
            let impulse_ns;
            ((left[n], right[n]), impulse_ns) = self.touched(
                patch,
                forces_n.first().copied().unwrap_or_default(),
                &mut report_event,
            );
            self.air.hear(n, impulse_ns);
            n += 1;
        }
    }

    /// Whether something rolls over the body and nothing else is near it.
    fn only_rolls(&self) -> bool {
        let others = self.external_force.is_on()
            || self.rigid_contacts.are_touching()
            || self.tumbling.are_active()
            || self.ball_chain.is_active();
        self.coupled_contacts.only_roll() && !others
    }

    /// Let it roll to the end of `out`, or until it is gone. Returns where that is.
    fn roll_on(
        &mut self,
        patch: &Patch,
        [left, right]: [&mut [f64]; 2],
        mut n: usize,
        mut report_event: impl FnMut(usize, f64, ContactEventKind),
    ) -> usize {
        while n < left.len() && self.coupled_contacts.only_roll() {
            let report_event = |after_s, what| report_event(n, after_s, what);
            self.coupled_contacts.advance(
                &self.object.contact_context(patch),
                &mut self.bank,
                report_event,
            );
            self.object.modes.move_on(1);
            (left[n], right[n]) = self.bank.hear(&self.object.modes);
            self.air.hear(n, self.coupled_contacts.take_impulse_ns());
            n += 1;
        }
        n
    }

    /// The samples to come in which one striker alone pushes smoothly, as most do most of the time;
    /// says how many those were. `n`: samples of the chunk that came before.
    fn push_smoothly(&mut self, patch: &Patch, [left, right]: [&mut [f64]; 2], n: usize) -> usize {
        let others = self.coupled_contacts.are_active()
            || self.tumbling.are_active()
            || self.ball_chain.is_active();
        let Object { modes, .. } = &self.object;
        if others
            || self.external_force.is_on()
            || modes.are_moving()
            || self.bank.live() > modes.len
        {
            return 0;
        }
        let mut forces = [[0.0; MOMENTS]; CHUNK];
        let max = left.len().min(CHUNK);
        let Some((samples, step, gains)) = self
            .rigid_contacts
            .push_smoothly(&self.object.contact_context(patch), &mut forces[..max])
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

    /// How many of the next samples, `room` at most, nothing touches the body; strikers have flown
    /// by then. `tick`: until the body may change.
    fn untouched(&mut self, room: usize, tick: usize) -> usize {
        let dt_s = self.object.dt_s();
        let clear = self
            .coupled_contacts
            .clear_samples(&mut self.bank, &self.object.modes, dt_s, tick)
            .min(room);
        if clear == 0 {
            return 0;
        }
        let clear = self.tumbling.quiet_samples(clear, dt_s);
        let clear = if self.ball_chain.is_active() {
            let clear = self.rigid_contacts.airborne(clear, dt_s);
            self.ball_chain.fly(clear, dt_s)
        } else {
            clear
        };
        if self.rigid_contacts.are_touching() {
            self.rigid_contacts.fly(clear, dt_s)
        } else {
            clear
        }
    }

    /// One sample of the body and of all that may touch it; what is heard, and the impulse of the
    /// contacts in N s.
    fn touched(
        &mut self,
        patch: &Patch,
        force_n: f64,
        report_event: &mut impl FnMut(f64, ContactEventKind),
    ) -> ((f64, f64), f64) {
        if self.coupled_contacts.are_active() {
            self.coupled_contacts.advance(
                &self.object.contact_context(patch),
                &mut self.bank,
                &mut *report_event,
            );
            self.object.modes.move_on(1);
        } else {
            self.bank.advance(&mut self.object.modes);
        }
        let (contact_context, bank) = (self.object.contact_context(patch), &mut self.bank);
        let mut impulse_ns = self.coupled_contacts.take_impulse_ns();
        let mut take = |drive: &Drive| {
            bank.take(contact_context.modes, drive);
            impulse_ns += drive.impulse_ns();
        };
        self.rigid_contacts.advance(
            &contact_context,
            &mut self.budget,
            &mut take,
            &mut *report_event,
        );
        self.ball_chain.advance(
            &contact_context,
            self.rigid_contacts.steps(),
            &mut take,
            report_event,
        );
        self.external_force.advance(
            force_n,
            &contact_context,
            self.rigid_contacts.steps(),
            |drive| bank.take(contact_context.modes, drive),
        );
        self.tumbling.pass(1);
        (self.bank.hear(&self.object.modes), impulse_ns)
    }
}
