"""The built VST3 plug-in in two hosts of different make, held against the built CLAP plug-in bit for bit."""
import unittest

import numpy

from hosts import DawDreamer, Pedalboard
from reference import FIRST, FRAMES, clap

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


class InDawDreamer(Vst3, unittest.TestCase):
    host = DawDreamer


if __name__ == "__main__":
    unittest.main(verbosity=2)
