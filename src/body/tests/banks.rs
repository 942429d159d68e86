//! The modes' state: what is done to it, and what is heard of it.

use super::{LOSSES, RATE_HZ, bar, close, heard_at, later, struck};
use crate::body::bank::{CHUNK, FLOOR};
use crate::body::{Bank, Drive, LANES, MAX_MODES};

#[test]
fn a_bank_that_is_reset_is_at_rest_and_silent() {
    let mut modes = bar(20.0, 100.0);
    let mut bank = struck(&modes);
    assert!(!bank.is_at_rest() && bank.energy_per_mass() > 0.0);
    let (mut l, mut r) = ([0.0; 7], [0.0; 7]);
    bank.process(&mut modes, &mut l, &mut r);
    bank.reset();
    assert!(bank.is_at_rest());
    assert_eq!(bank.energy_per_mass(), 0.0);
    assert!((0..MAX_MODES).all(|i| bank.amplitude(i) == (0.0, 0.0)));
    let (mut l, mut r) = ([0.0; 40], [0.0; 40]);
    bank.process(&mut modes, &mut l, &mut r);
    assert_eq!((l, r), ([0.0; 40], [0.0; 40]));
    assert_eq!(bank.hear(&modes), (0.0, 0.0));
}

#[test]
fn energy_is_half_the_sum_of_the_squares() {
    let modes = bar(20.0, 100.0);
    let bank = struck(&modes);
    let sum: f64 =
        (0..MAX_MODES).map(|i| bank.amplitude(i)).map(|(re, im)| re * re + im * im).sum();
    close(bank.energy_per_mass(), 0.5 * sum, 1e-12);
}

#[test]
fn what_is_bent_stays_and_what_moves_goes_on() {
    let modes = bar(20.0, 100.0);
    let mut bank = struck(&modes);
    let before: Vec<_> = (0..modes.len).map(|i| bank.amplitude(i)).collect();
    assert!(before[3].1 != 0.0);
    let mut louder = bank.clone();
    louder.scale(&modes, -1.5);
    bank.unbend(&modes);
    for (i, (re, im)) in before.into_iter().enumerate() {
        assert_eq!(bank.amplitude(i), (re, 0.0));
        assert_eq!(louder.amplitude(i), (-1.5 * re, -1.5 * im));
    }
}

/// Before it is looked at, a frame under way is taken up where it has been handed out to.
#[test]
fn whatever_is_done_in_the_midst_of_a_frame_is_done_to_what_was_heard() {
    let check = |done: &mut dyn FnMut(&mut Bank, &crate::body::Modes),
                 wanted: &dyn Fn((f64, f64)) -> (f64, f64)| {
        let mut modes = bar(20.0, 100.0);
        let mut bank = struck(&modes);
        let start: Vec<_> = (0..modes.len).map(|i| bank.amplitude(i)).collect();
        let (mut l, mut r) = ([0.0; 45], [0.0; 45]);
        bank.process(&mut modes, &mut l, &mut r);
        done(&mut bank, &modes);
        for (i, start) in start.into_iter().enumerate() {
            let wanted = wanted(later(&modes, i, start, 45.0 / RATE_HZ));
            let got = bank.amplitude(i);
            let off = (got.0 - wanted.0).hypot(got.1 - wanted.1);
            assert!(off < 1e-12, "mode {i}: {got:?} {wanted:?}");
        }
    };
    check(&mut |bank, modes| bank.catch_up(modes), &|y| y);
    check(&mut |bank, modes| bank.unbend(modes), &|(re, _)| (re, 0.0));
    check(&mut |bank, modes| bank.scale(modes, 2.0), &|(re, im)| (2.0 * re, 2.0 * im));
    check(&mut |bank, modes| assert!(bank.state(modes).re.len() == modes.len), &|y| y);
    check(&mut |bank, modes| assert!(bank.settle(modes, 1.0) > 0.0), &|y| y);
}

#[test]
fn a_frame_is_handed_out_in_pieces_that_are_what_is_added_elsewhere() {
    let modes = bar(20.0, 100.0);
    let (mut by_hand, mut hand_modes) = (struck(&modes), modes.clone());
    let (mut bank, mut bank_modes) = (struck(&modes), modes);
    let (mut l, mut r) = ([0.0; 64], [0.0; 64]);
    bank.process(&mut bank_modes, &mut l, &mut r);
    let mut at = 0;
    for (max, range) in [(10, 0..10), (30, 10..32), (32, 0..32)] {
        let (heard, given) = by_hand.hand_out(&mut hand_modes, max);
        assert_eq!(given, range);
        for n in given {
            assert_eq!(
                (f64::from(heard.left[n]), f64::from(heard.right[n])),
                (l[at], r[at]),
                "{at}"
            );
            at += 1;
        }
    }
}

/// The pickups' clock goes on by what was heard, whether anything rings or not.
#[test]
fn pickups_move_on_while_nothing_rings() {
    for rings in [false, true] {
        let mut modes = bar(20.0, 100.0);
        let mut bank = if rings { struck(&modes) } else { Bank::default() };
        modes.set(100.0, &LOSSES, heard_at(0.4, 0.1), RATE_HZ);
        let (mut l, mut r) = ([0.0; 13], [0.0; 13]);
        bank.process(&mut modes, &mut l, &mut r);
        assert_eq!(modes.ramp().expect("on their way")[0], 14.0);
        bank.advance(&mut modes);
        assert_eq!(modes.ramp().expect("on their way")[0], 15.0);
        let (_, given) = bank.hand_out(&mut modes, 5);
        assert_eq!((given.len(), modes.ramp().expect("on their way")[0]), (5, 20.0));
        assert_eq!(modes.ramp().expect("on their way")[31], 32.0);
    }
}

#[test]
fn what_is_no_longer_heard_stops_and_the_loudest_is_reported() {
    let modes = bar(20.0, 100.0);
    let mut bank = struck(&modes);
    let gain = 3.0;
    let heard = |i: usize| {
        modes.left.now[i].abs().max(modes.right.now[i].abs()).max(0.1 * modes.presence[i])
    };
    let size = |bank: &Bank, i: usize| bank.amplitude(i).0.hypot(bank.amplitude(i).1);
    let loudest = (0..modes.len).map(|i| gain * heard(i) * size(&bank, i)).fold(0.0, f64::max);
    close(bank.settle(&modes, gain), loudest, 1e-12);
    assert!(!bank.is_at_rest());
    // So far down that the loudest is just heard, and then no more.
    bank.scale(&modes, 1.01 * FLOOR / loudest);
    let ringing = (0..MAX_MODES).filter(|&i| size(&bank, i) > 0.0).count();
    close(bank.loudest(&modes, gain), 1.01 * FLOOR, 1e-9);
    assert_eq!(
        (0..MAX_MODES).filter(|&i| size(&bank, i) > 0.0).count(),
        ringing,
        "what is felt goes on"
    );
    close(bank.settle(&modes, gain), 1.01 * FLOOR, 1e-9);
    assert_eq!((0..MAX_MODES).filter(|&i| size(&bank, i) > 0.0).count(), 1);
    bank.scale(&modes, 0.98);
    assert_eq!(bank.settle(&modes, gain), 0.0);
    assert!(bank.is_at_rest() && (0..MAX_MODES).all(|i| bank.amplitude(i) == (0.0, 0.0)));
    let mut felt = struck(&modes);
    felt.scale(&modes, 1e-24);
    assert!(
        felt.loudest(&modes, gain) < 1e-20
            && (0..MAX_MODES).all(|i| felt.amplitude(i) == (0.0, 0.0)),
        "nobody feels that"
    );
}

#[test]
fn modes_that_are_gone_are_given_nothing_and_hold_nothing() {
    let (many, few) = (bar(40.0, 100.0), bar(9.0, 100.0));
    let mut drive = Drive::default();
    drive.set_gains(&many.drive_gains(0.17, 0.4));
    drive.begin_sample();
    crate::contact::Surface::push(
        &mut drive.on(&many, &mut crate::body::Steps::default()),
        800.0,
        1e-5,
    );
    let mut bank = Bank::default();
    bank.take(&few, &drive);
    assert!((0..MAX_MODES).all(|i| bank.amplitude(i) == (0.0, 0.0)));
    let mut bank = struck(&many);
    let kept = bank.amplitude(3);
    bank.rows_mut(LANES);
    assert_eq!(bank.live(), LANES);
    assert_eq!(bank.amplitude(3), kept);
    assert!((LANES..MAX_MODES).all(|i| bank.amplitude(i) == (0.0, 0.0)));
    // An untouched drive changes nothing.
    let before = bank.amplitude(3);
    bank.take(&few, &Drive::default());
    assert_eq!((bank.amplitude(3), bank.live()), (before, LANES));
}

#[test]
fn one_sample_alone_is_one_turn() {
    let mut modes = bar(20.0, 100.0);
    let mut bank = struck(&modes);
    let start: Vec<_> = (0..modes.len).map(|i| bank.amplitude(i)).collect();
    let (mut l, mut r) = ([0.0; CHUNK + 3], [0.0; CHUNK + 3]);
    bank.process(&mut modes, &mut l, &mut r);
    bank.advance(&mut modes);
    let time_s = (CHUNK + 4) as f64 / RATE_HZ;
    let (mut left, mut right) = (0.0, 0.0);
    for (i, start) in start.into_iter().enumerate() {
        let (re, im) = later(&modes, i, start, time_s);
        let got = bank.amplitude(i);
        assert!((got.0 - re).hypot(got.1 - im) < 1e-12, "{i}");
        left += modes.left.now[i] * re;
        right += modes.right.now[i] * re;
    }
    let heard = bank.hear(&modes);
    assert!((heard.0 - left).abs() < 1e-12 && (heard.1 - right).abs() < 1e-12);
}
