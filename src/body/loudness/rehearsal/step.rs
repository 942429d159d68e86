//! One step of a rehearsed blow.

use super::super::super::Modes;
use super::super::super::kernel::{Bout, Bouted, Rows, RowsMut};
use super::super::ear::Pass;
use super::super::hasty;
use super::super::window::WINDOW_S;
use super::{Rehearsal, spring_at};
use crate::contact::integrator::passive::Reach;
use crate::contact::law::Spring;
use crate::contact::{ContactSettings, Dent, Law};

/// In the air it is looked whether the striker is gone at once, and then after every so many steps.
const LOOK_EVERY: u32 = 4;

impl Rehearsal {
    /// One step of the prepared length. Says whether the striker is gone for good, or nobody listens any more.
    pub(super) fn step(&mut self, modes: &Modes, contact: &ContactSettings, spring: &mut Spring, pass: &Pass) -> bool {
        let (n, kernel, rows, ratios) = (self.len, modes.kernel, &self.rows, &self.ratios);
        let (shape, course, h_s) = (&self.shape[..n], &mut self.course, rows.step_s());
        // The quick modes come back by as much as the force has left them.
        let free_m = h_s * course.v_m_per_s - self.surface_m + self.slack_m_per_n * course.force_n;
        if !course.touching && course.x_m <= 0.0 && course.x_m + free_m > 0.0 {
            course.touch();
            *spring = spring_at(contact, free_m / h_s);
        }
        let mobility_m_per_n = 0.5 * h_s * h_s / contact.mass_kg + self.give_m_per_n + self.slack_m_per_n;
        let reach = Reach { x_m: course.x_m, free_m, mobility_m_per_n, h_s, guess_n: course.guess_n };
        let push = hasty::push(spring, &reach);
        course.accept(&push, contact.mass_kg, h_s);
        let bout = Bout {
            turn: Rows { re: &rows.turn_re[..n], im: &rows.turn_im[..n] },
            push: Rows { re: &self.push_re[..n], im: &self.push_im[..n] },
            sway: Rows { re: &self.sway_re[..n], im: &self.sway_im[..n] },
            ears: [&self.left[..n], &self.right[..n]],
        };
        let y = RowsMut { re: &mut self.y_re[..n], im: &mut self.y_im[..n] };
        self.surface_m = self.later_m + self.echo_m_per_n * push.force_n;
        let Bouted { later, heard: [left, right] } = kernel.play_bout(y, &bout, push.force_n);
        self.later_m = later;
        self.ears[0].hear(left, pass);
        self.ears[1].hear(right, pass);
        if course.touching {
            // By a linear damper it is let go before it is out of its dent, and may be caught up there once more; unless the dent stays.
            let let_go = contact.kind == Law::HertzDamper && push.force_n == 0.0 && push.change_m < 0.0;
            if let_go && contact.dent == Dent::Stays {
                course.x_m = course.x_m.min(0.0);
            }
            course.touching = course.x_m > 0.0;
        } else if push.force_n > 0.0 {
            course.touch();
            *spring = spring_at(contact, push.change_m / h_s);
        }
        if course.touching || course.x_m > 0.0 || course.v_m_per_s > 0.0 {
            course.away = 0;
            return course.time_s >= WINDOW_S;
        }
        course.away += 1;
        if course.away % LOOK_EVERY != 1 {
            return false;
        }
        // In the air: the ring of the body is too slow for it, or no longer gets so far.
        let y = Rows { re: &self.y_re[..n], im: &self.y_im[..n] };
        let (reach_m, speed_m_per_s) = kernel.bounds(shape, [&ratios.per_omega[..n], &ratios.quickness[..n]], y);
        course.v_m_per_s + speed_m_per_s < 0.0 || -course.x_m > 2.0 * reach_m || course.time_s >= WINDOW_S
    }
}
