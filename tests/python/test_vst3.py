"""The built VST3 plug-in in two hosts of different make, held against the built CLAP plug-in bit for bit."""
import unittest

import mido
import numpy

from hosts import DawDreamer, Pedalboard
from reference import FIRST, FRAMES, RATE, clap

# Every one of them a multiple of all block sizes below, so that hosts which hand on automation once a block agree.
QUARTERS = [FRAMES * quarter // 4 for quarter in range(4)]
BLOCKS = (48, 480, 6000)


class Vst3:
    """What must hold in either host."""

    def assert_same(self, heard, expected):
        self.assertEqual(heard.shape, expected.shape)
        different = numpy.flatnonzero(numpy.any(heard != expected, axis=0))
        if different.size:
            worst = numpy.abs(heard - expected).max()
            self.fail(f"{different.size} samples differ, the first is {different[0]}, the worst by {worst}")

    def test_loads_with_its_parameters(self):
        host = self.host(480)
        for name in ("Level", "Stiffness"):
            self.assertIn(name, host.parameters())

    def test_plays_as_the_clap_does_in_blocks_of_any_size(self):
        expected = clap(480)
        self.assertTrue(numpy.isfinite(expected).all())
        self.assertGreater(numpy.abs(expected).max(), 1e-3)
        self.assertFalse(expected[:, :FIRST].any(), "silent before the first note")
        for block in BLOCKS:
            with self.subTest(block=block):
                self.assert_same(self.host(block).play(), expected)

    def test_plays_the_same_twice(self):
        host = self.host(480)
        host.play()
        self.assert_same(host.play(), clap(480))

    def test_automation_is_heard_and_is_that_of_the_clap(self):
        host = self.host(480)
        base = host.get("Level")
        moves = list(zip(QUARTERS, ["Level"] * 4, (base, 0.6 * base, 0.3 * base, 0.6 * base)))
        heard = host.play(automation=moves)
        self.assert_same(heard, clap(480, moves))
        plain = clap(480)
        first, second = slice(0, QUARTERS[1]), slice(QUARTERS[1] + 4800, QUARTERS[2])
        self.assert_same(heard[:, first], plain[:, first])
        self.assertLess(numpy.abs(heard[:, second]).max(), 0.9 * numpy.abs(plain[:, second]).max())

    def test_state_survives_a_round_trip(self):
        host = self.host(480)
        wanted = {"Level": 0.613, "Stiffness": 0.377}
        for name, value in wanted.items():
            host.set(name, value)
        host.play()
        state = host.save()
        again = self.host(480)
        again.restore(state)
        for name, value in wanted.items():
            self.assertAlmostEqual(again.get(name), value, places=6)
        heard = again.play()
        moves = [(0, name, again.get(name)) for name in wanted]
        self.assert_same(heard, clap(480, moves))
        self.assertFalse(numpy.array_equal(heard, clap(480)), "the state changes the sound")


class InPedalboard(Vst3, unittest.TestCase):
    host = Pedalboard

    def test_is_an_instrument_called_ictus(self):
        host = self.host(480)
        self.assertEqual(host.name(), "Ictus")
        self.assertTrue(host.plugin.is_instrument)

    def mpe(self, messages, seconds=2.0):
        """A zone of channels 2 to 16 in which a hand damps what is let go."""
        host = self.host(480)
        for name, value in (("MPE", 1 / 2), ("Note off", 1 / 3), ("Hand damping", 0.0), ("Internal friction", 0.0), ("Support loss", 0.0)):
            host.set(name, value)
        messages = sorted(messages, key=lambda message: message.time)
        return host.plugin(messages, duration=seconds, sample_rate=RATE, num_channels=2, buffer_size=480, reset=True)

    def test_a_member_channel_bends_its_note_alone(self):
        notes = [mido.Message("note_on", channel=channel, note=key, velocity=90, time=0.0) for channel, key in ((3, 57), (9, 76))]
        # A quarter of 48 semitones up: an octave.
        bend = [mido.Message("pitchwheel", channel=3, pitch=2048, time=0.1)]

        def at(sound, hertz):
            part = sound[0, RATE // 2 : RATE // 2 + RATE // 4].astype(float)
            turn = numpy.exp(-2j * numpy.pi * hertz * numpy.arange(part.size) / RATE)
            return abs(numpy.sum(numpy.hanning(part.size) * part * turn))

        plain, bent = self.mpe(notes), self.mpe(notes + bend)
        self.assertGreater(at(plain, 220.0), 10 * at(bent, 220.0))
        self.assertGreater(at(bent, 440.0), 10 * at(plain, 440.0))
        high = 440.0 * 2 ** (7 / 12)
        self.assertAlmostEqual(at(bent, high) / at(plain, high), 1.0, delta=0.05)

    def test_no_note_off_is_lost_on_any_member_channel(self):
        held, let_go = [], []
        for channel in range(1, 16):
            time = 0.01 * channel
            held.append(mido.Message("note_on", channel=channel, note=60, velocity=90, time=time))
            held.append(mido.Message("pitchwheel", channel=channel, pitch=100 * channel, time=time + 0.005))
            held.append(mido.Message("aftertouch", channel=channel, value=80, time=time + 0.006))
            held.append(mido.Message("control_change", channel=channel, control=74, value=100, time=time + 0.007))
            let_go.append(mido.Message("note_off", channel=channel, note=60, velocity=0, time=0.5 + time))
        self.assertLess(numpy.abs(self.mpe(held + let_go)[:, -RATE // 2 :]).max(), 1e-6, "a note is stuck")
        for lost in let_go:
            if lost.channel in (1, 8, 15):
                rest = [message for message in let_go if message is not lost]
                stuck = self.mpe(held + rest)[:, -RATE // 2 :]
                self.assertGreater(numpy.abs(stuck).max(), 1e-5, "one that is held is heard")


class InDawDreamer(Vst3, unittest.TestCase):
    host = DawDreamer


if __name__ == "__main__":
    unittest.main(verbosity=2)
