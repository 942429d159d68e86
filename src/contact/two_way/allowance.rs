//! A bound on the work of two-way contact.

use super::MOST_STEPS;

/// Sub-steps that may be made, saved up from sample to sample.
///
/// A light body that is struck hard by steel answers with dozens of contacts in a row, each of which asks for hundreds
/// of sub-steps per sample: more than there is time for. So they are paid for out of an allowance that grows by a little with
/// every sample, up to a bound. While half of it is left, contacts get all the steps they ask for; from there on what they need to
/// have 36 (see [`Rider::steps_needed`](super::Rider::steps_needed)), so that it lasts; and when it is spent, what they are
/// [owed](super::Rider::steps_owed), so that each has 24 all the same. What lasts longer than that has to do with one per sample: the
/// scheme is passive at any step, so that no energy comes of it. Everything is counted in whole numbers, so that
/// nothing depends on how time is cut into blocks.
///
/// Besides, there may be a ration: a number of sub-steps that has to do until the next one is given out, because many bodies
/// are struck at once and share what there is. On a ration contacts get no more than they need, and when it is spent what they are owed.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    per_sample: u32,
    most: u32,
    left: u32,
    /// Samples since a blow was last given what it needs.
    since: u32,
    /// What is left of the ration; the largest number if there is none.
    ration: u32,
    /// What was spent since somebody asked.
    spent: u32,
}

impl Default for Allowance {
    /// No bound.
    fn default() -> Self {
        Self { per_sample: u32::MAX, most: u32::MAX, left: u32::MAX, since: u32::MAX, ration: u32::MAX, spent: 0 }
    }
}

impl Allowance {
    /// Take over a bound: what every sample adds, and what may be saved up, in sub-steps of one rider.
    pub fn set(&mut self, per_sample: u32, most: u32) {
        (self.per_sample, self.most) = (per_sample.max(1), most.max(1));
        self.left = self.left.min(self.most);
    }

    /// What has to do until this is called again; none for no such bound.
    pub fn set_ration(&mut self, steps: Option<u32>) {
        self.ration = steps.unwrap_or(u32::MAX);
    }

    /// What is left of the ration, if there is one.
    pub fn ration(&self) -> Option<u32> {
        (self.ration != u32::MAX).then_some(self.ration)
    }

    /// What was spent since the last call, on a ration or not.
    pub fn take_spent(&mut self) -> u32 {
        std::mem::take(&mut self.spent)
    }

    /// As after a long rest.
    pub fn full(self) -> Self {
        Self { left: self.most, since: u32::MAX, spent: 0, ..self }
    }

    /// Let samples go by.
    pub fn pass(&mut self, samples: usize) {
        let samples = u32::try_from(samples).unwrap_or(u32::MAX);
        self.left = self.left.saturating_add(self.per_sample.saturating_mul(samples)).min(self.most);
        self.since = self.since.saturating_add(samples);
    }

    /// A new blow is coming: however hard the last ones were, its first contact is not to be cut short. It finds half of what may be
    /// saved up, unless another had that less than the time before in which as much is added anyway: all in all no more than
    /// twice the share of every sample is spent.
    pub fn welcome(&mut self) {
        if self.since / 2 >= self.most / self.per_sample / 4 {
            (self.left, self.since) = (self.left.max(self.most / 2), 0);
        }
    }

    /// How fine the next step may be, in sub-steps per sample: where `wanted` are asked for, `needed` would do, each costs `each`, and
    /// `room` of [`MOST_STEPS`] parts of the sample are left. All but the room, which may be any, are powers of two. However little is left, nobody
    /// is kept from what is `owed`.
    pub fn finest(&self, wanted: u32, needed: u32, owed: impl FnOnce() -> u32, each: u32, room: u32) -> u32 {
        let plenty = self.left >= self.most / 2 && self.ration == u32::MAX;
        let wish = if plenty { wanted } else { needed.min(wanted) };
        let within = |steps: u32| {
            let affordable = (steps / each.max(1)).max(1);
            wish.min(MOST_STEPS / room.div_ceil(affordable).next_power_of_two().min(MOST_STEPS))
        };
        let shared = within(self.ration.min(self.left));
        if shared == wish { shared } else { shared.max(owed().min(wish)) }
    }

    /// A step was made that cost so much.
    pub fn spend(&mut self, cost: u32) {
        self.left = self.left.saturating_sub(cost);
        self.spent = self.spent.saturating_add(cost);
        if self.ration != u32::MAX {
            self.ration = self.ration.saturating_sub(cost);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One sample that is stepped alike from end to end.
    fn grant(allowance: &mut Allowance, wanted: u32, needed: u32, each: u32) -> u32 {
        allowance.pass(1);
        let (mut gone, mut steps) = (0, 0);
        while gone < MOST_STEPS {
            let room = MOST_STEPS - gone;
            let step = MOST_STEPS / allowance.finest(wanted, needed, || 1, each, room);
            gone += step.min(1 << room.ilog2());
            allowance.spend(each);
            steps += 1;
        }
        steps
    }

    #[test]
    fn the_first_contacts_get_all_they_ask_for_and_what_follows_its_share() {
        let mut allowance = Allowance::default();
        assert_eq!(grant(&mut allowance, 1024, 1024, 64), 1024);
        allowance.set(16, 4096);
        assert_eq!(grant(&mut allowance, 1024, 1024, 1), 1024);
        let steps: Vec<u32> = (0..1000).map(|_| grant(&mut allowance, 1024, 1024, 1)).collect();
        assert!(steps[0] == 1024 && steps.iter().sum::<u32>() <= 4096 + 16 * 1001);
        assert_eq!(steps[999], 16);
        assert_eq!(grant(&mut allowance, 4, 4, 1), 4, "a modest wish is granted");
        assert_eq!(grant(&mut allowance, 1024, 1024, 64), 1, "however dear");
        allowance.pass(1_000_000);
        assert_eq!(grant(&mut allowance, 1024, 1024, 1), 1024, "after a rest");
    }

    #[test]
    fn when_half_is_spent_what_is_needed_has_to_do_and_a_new_blow_finds_enough() {
        let mut allowance = Allowance::default();
        allowance.set(16, 4096);
        assert_eq!(allowance.left, 4096);
        allowance.spend(2048);
        assert_eq!(allowance.finest(1024, 256, || 1, 1, MOST_STEPS), 1024);
        allowance.spend(1);
        assert_eq!(allowance.finest(1024, 256, || 1, 1, MOST_STEPS), 256);
        allowance.welcome();
        assert_eq!(allowance.left, 2048);
        allowance.spend(1000);
        allowance.welcome();
        assert!(allowance.left < 2048, "not for every blow of a flood");
    }

    #[test]
    fn on_a_ration_contacts_get_what_they_need_until_it_is_spent() {
        let mut allowance = Allowance::default();
        allowance.set(16, 4096);
        allowance.set_ration(Some(40));
        let steps: Vec<u32> = (0..20).map(|_| grant(&mut allowance, 16, 8, 1)).collect();
        assert_eq!(steps[..4], [8; 4], "what is needed, not what is wanted");
        assert_eq!(steps[5..], [1; 15], "then one per sample");
        assert!(steps.iter().sum::<u32>() <= 40 + 20);
        assert_eq!(allowance.take_spent(), steps.iter().sum::<u32>());
        assert_eq!(allowance.take_spent(), 0);
        let finest = |owed: u32| allowance.finest(16, 8, || owed, 1, MOST_STEPS);
        assert_eq!([1, 4, 8, 64].map(finest), [1, 4, 8, 8], "what is owed, and no more than is needed");
        allowance.set_ration(None);
        assert_eq!(grant(&mut allowance, 16, 8, 1), 16);
    }

    #[test]
    fn time_may_be_cut_anyhow() {
        let mut whole = Allowance::default();
        whole.set(3, 1000);
        whole.spend(512);
        let mut cut = whole;
        whole.pass(101);
        for samples in [1, 60, 40] {
            cut.pass(samples);
        }
        assert_eq!(whole.left, cut.left);
    }
}
