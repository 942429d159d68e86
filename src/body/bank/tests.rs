//! Tests of the bank against exact decaying sines, and with different block lengths.

use super::*;
use crate::body::material::Damping;
use crate::body::tests::{LOSSES, RATE_HZ, bar, close, heard_at, later, struck};
use crate::body::{Kernel, Listening, Point, Steps};
use crate::contact::Surface;

const DAMPING: Damping = Damping { support_per_s: 2.0, loss_factor: 1e-3, viscous_s: 1e-8 };
const LISTENING: Listening = Listening { left: Point::along(0.0), right: Point::along(1.0) };

fn struck_bar(pitch_hz: f64, fs: f64) -> (Modes, Bank) {
    struck_on(Kernel::best(), pitch_hz, fs)
}

fn struck_on(kernel: Kernel, pitch_hz: f64, fs: f64) -> (Modes, Bank) {
    let mut modes = Modes::default();
    modes.kernel = kernel;
    modes.set(pitch_hz, &DAMPING, LISTENING, fs);
    modes.arrive();
    let mut drive = Drive::default();
    drive.set_gains(&modes.drive_gains(0.1, 1.0));
    drive.begin_sample();
    drive.on(&modes, &mut Steps::default()).push(1000.0, 1.0 / fs);
    let mut bank = Bank::default();
    bank.take(&modes, &drive);
    (modes, bank)
}

#[test]
fn re_tuning_a_ringing_body_adds_no_energy() {
    let (mut modes, mut bank) = struck_bar(200.0, 48000.0);
    let mut before = bank.energy_per_mass();
    let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
    for step in 0..2000 {
        let pitch_hz = 200.0 * (1.0 + 0.9 * f64::from(step).sin());
        modes.set(pitch_hz, &DAMPING, LISTENING, 48000.0);
        modes.arrive();
        bank.process(&mut modes, &mut l, &mut r);
        let after = bank.energy_per_mass();
        assert!(after <= before, "step {step}: {before} -> {after}");
        before = after;
    }
}

#[test]
fn ringing_decays_at_the_rate_of_the_law_at_every_sample_rate() {
    for fs in [44100.0, 48000.0, 96000.0, 192000.0] {
        let (mut modes, mut bank) = struck_bar(440.0, fs);
        let (re, im) = bank.amplitude(0);
        let start = re.hypot(im);
        let samples = fs as usize / 2 / CHUNK * CHUNK;
        let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
        for _ in 0..samples / CHUNK {
            bank.process(&mut modes, &mut l, &mut r);
        }
        let (re, im) = bank.amplitude(0);
        let measured = (start / re.hypot(im)).ln() / (samples as f64 / fs);
        let wanted = DAMPING.rate_per_s(440.0);
        assert!((measured / wanted - 1.0).abs() < 1e-9, "{fs}: {measured} instead of {wanted}");
    }
}

#[test]
fn a_body_left_alone_comes_to_rest_and_never_meets_denormals() {
    let (mut modes, mut bank) = struck_bar(440.0, 48000.0);
    for _ in 0..48000 * 60 / CHUNK {
        let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
        bank.process(&mut modes, &mut l, &mut r);
        bank.settle(&modes, 1.0);
        for i in 0..MAX_MODES {
            let (re, im) = bank.amplitude(i);
            assert!(re == 0.0 || re.is_normal());
            assert!(im == 0.0 || im.is_normal());
        }
    }
    assert_eq!(bank.energy_per_mass(), 0.0);
    assert_eq!(bank.live, 0);
}

/// Two seconds in pieces of the given lengths, repeated, while the pickups and the pitch move.
fn rung(kernel: Kernel, pieces: &[usize]) -> Vec<(f64, f64)> {
    let fs = 48000.0;
    let (mut modes, mut bank) = struck_on(kernel, 60.0, fs);
    let mut sound = Vec::new();
    let mut lengths = pieces.iter().cycle();
    for section in 0..3000 {
        if section % 500 == 100 {
            let listening = Listening {
                left: Point::along(0.0003 * f64::from(section)),
                right: Point::along(0.3),
            };
            modes.set(60.0 + 0.01 * f64::from(section), &DAMPING, listening, fs);
        }
        let mut left_over = CHUNK;
        while left_over > 0 {
            let n = left_over.min(*lengths.next().unwrap());
            let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
            bank.process(&mut modes, &mut l[..n], &mut r[..n]);
            sound.extend(l.into_iter().zip(r).take(n));
            left_over -= n;
        }
        bank.catch_up(&modes);
        modes.arrive();
        bank.settle(&modes, 1.0);
    }
    sound
}

#[test]
fn pieces_of_any_length_give_the_same_bits() {
    let whole = rung(Kernel::best(), &[CHUNK]);
    for pieces in [&[1][..], &[31], &[7, 16, 2], &[17, 3, 29, 1, 1, 8]] {
        assert!(rung(Kernel::best(), pieces) == whole, "{pieces:?}");
    }
}

#[test]
fn every_instruction_set_gives_the_same_sound() {
    let reference = rung(Kernel::portable(), &[CHUNK]);
    let loudest = reference.iter().fold(0.0f64, |max, (l, r)| max.max(l.abs()).max(r.abs()));
    for kernel in Kernel::all() {
        for (n, (a, b)) in rung(kernel, &[CHUNK]).iter().zip(&reference).enumerate() {
            let error = (a.0 - b.0).abs().max((a.1 - b.1).abs());
            assert!(error <= 1e-6 * loudest, "{kernel:?} at {n}: {error:e} of {loudest}");
        }
    }
}

/// Rounding errors of each frame carry over, so the longest decay at the highest rate is the worst
/// case.
#[test]
fn what_is_heard_is_the_exact_decaying_sine_from_the_lowest_to_the_highest_mode() {
    for (pitch_hz, fs) in
        [(20.0, 192_000.0), (20.0, 44_100.0), (16_000.0, 44_100.0), (16_000.0, 192_000.0)]
    {
        for kernel in Kernel::all() {
            let (mut modes, mut bank) = struck_on(kernel, pitch_hz, fs);
            let start: Vec<_> = (0..modes.len).map(|i| bank.amplitude(i)).collect();
            let scale: f64 = (0..modes.len)
                .map(|i| start[i].0.hypot(start[i].1) * modes.left.now[i].abs())
                .sum();
            let samples = 2 * fs as usize / CHUNK * CHUNK;
            for frame in 0..samples / CHUNK {
                let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
                bank.process(&mut modes, &mut l, &mut r);
                if frame % 997 != 0 {
                    continue;
                }
                for (n, heard) in l.into_iter().enumerate() {
                    let t = (frame * CHUNK + n + 1) as f64 / fs;
                    let exact: f64 = (0..modes.len)
                        .map(|i| {
                            let (sin, cos) = (modes.omega[i] * t).sin_cos();
                            let shrink = (-modes.decay_per_s[i] * t).exp();
                            modes.left.now[i] * shrink * (start[i].0 * cos - start[i].1 * sin)
                        })
                        .sum();
                    let error = (heard - exact).abs() / scale;
                    assert!(
                        error < 3e-7,
                        "{kernel:?}, {pitch_hz} Hz at {fs}: {error:e} after {t} s"
                    );
                }
            }
            // The state advances in `f64`.
            let t = samples as f64 / fs;
            for (i, start) in start.iter().enumerate() {
                let (sin, cos) = (modes.omega[i] * t).sin_cos();
                let shrink = (-modes.decay_per_s[i] * t).exp();
                let (re, im) = bank.amplitude(i);
                let error = (re - shrink * (start.0 * cos - start.1 * sin))
                    .hypot(im - shrink * (start.1 * cos + start.0 * sin));
                assert!(
                    error <= 1e-9 * start.0.hypot(start.1),
                    "{kernel:?} {pitch_hz} {fs} mode {i}: {error:e}"
                );
            }
        }
    }
}

#[test]
fn a_frame_cut_short_goes_on_as_if_sample_by_sample() {
    for cut in [1, 15, 16, 17, 31] {
        let (mut modes, mut bank) = struck_bar(440.0, 48000.0);
        let (mut slow_modes, mut slow) = struck_bar(440.0, 48000.0);
        let (mut l, mut r) = ([0.0; CHUNK], [0.0; CHUNK]);
        bank.process(&mut modes, &mut l[..cut], &mut r[..cut]);
        bank.catch_up(&modes);
        for n in 0..cut {
            slow.advance(&mut slow_modes);
            let (left, right) = slow.hear(&slow_modes);
            assert!(
                (left - l[n]).abs() < 1e-6 && (right - r[n]).abs() < 1e-6,
                "cut at {cut}, sample {n}"
            );
        }
        for i in 0..modes.len {
            assert_eq!(bank.amplitude(i), slow.amplitude(i), "cut at {cut}, mode {i}");
        }
    }
}

#[test]
fn pickups_on_their_way_are_heard_alike_at_both_paces() {
    let (mut modes, mut bank) = struck_bar(440.0, 48000.0);
    modes.set(
        440.0,
        &DAMPING,
        Listening { left: Point::along(0.4), right: Point::along(0.1) },
        48000.0,
    );
    let (mut slow_modes, mut slow) = (modes.clone(), bank.clone());
    let (mut l, mut r) = ([0.0; 2 * CHUNK], [0.0; 2 * CHUNK]);
    bank.process(&mut modes, &mut l, &mut r);
    let size = l.iter().fold(0.0f64, |max, x| max.max(x.abs()));
    for n in 0..l.len() {
        slow.advance(&mut slow_modes);
        let (left, right) = slow.hear(&slow_modes);
        assert!(
            (left - l[n]).abs().max((right - r[n]).abs()) < 1e-6 * size,
            "sample {n}: {left} and {}",
            l[n]
        );
    }
}

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

/// Operations on the state end the current frame at the samples handed out so far.
#[test]
fn whatever_is_done_in_the_midst_of_a_frame_is_done_to_what_was_heard() {
    let check = |done: &mut dyn FnMut(&mut Bank, &Modes),
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

/// The ramp of the pickups advances with the output, even if the bank is at rest.
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
    // Scales the loudest mode to just above the floor, then below it.
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
