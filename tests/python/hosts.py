"""Two hosts of different make behind one face: load, set, play, save, restore."""
import os
import tempfile

import dawdreamer
import mido
import numpy
import pedalboard

from reference import FRAMES, PHRASE, RATE, built, seconds


class Pedalboard:
    """Spotify's pedalboard."""

    # Pedalboard asks every parameter for a thousand texts, those that carry the controllers of sixteen MIDI channels
    # included: loading takes half a minute, so one instance serves all, put back to how it came.
    loaded = None

    def __init__(self, block):
        if Pedalboard.loaded is None:
            plugin = pedalboard.load_plugin(built("ICTUS_VST3"), plugin_name="Ictus")
            Pedalboard.loaded = plugin, bytes(plugin.raw_state), {p.name: p for p in plugin.parameters.values()}
        self.block = block
        self.plugin, fresh, self.known = Pedalboard.loaded
        self.plugin.raw_state = fresh
        self.plugin.reset()

    def name(self):
        return self.plugin.name

    def parameters(self):
        return list(self.known)

    def _parameter(self, name):
        return self.known[name]

    def get(self, name):
        return self._parameter(name).raw_value

    def set(self, name, value):
        self._parameter(name).raw_value = value

    def save(self):
        return bytes(self.plugin.raw_state)

    def restore(self, state):
        self.plugin.raw_state = state

    def play(self, automation=()):
        """The phrase; pedalboard has no automation, so it is played in parts with the parameter set between them."""
        moves = sorted(automation)
        parts = []
        edges = sorted({0, FRAMES, *(at for at, _, _ in moves)})
        for start, end in zip(edges, edges[1:]):
            for _, name, value in (move for move in moves if move[0] == start):
                self.set(name, value)
            parts.append(self._play_part(start, end))
        return numpy.concatenate(parts, axis=1)

    def _play_part(self, start, end):
        messages = []
        for note in PHRASE["notes"]:
            for kind, at, velocity in (("note_on", note["at"], note["velocity"]), ("note_off", note["at"] + note["length"], 0)):
                if start <= at < end:
                    messages.append(mido.Message(kind, note=note["key"], velocity=velocity, time=seconds(at - start)))
        messages.sort(key=lambda message: message.time)
        return self.plugin(
            messages,
            duration=(end - start) / RATE,
            sample_rate=RATE,
            num_channels=2,
            buffer_size=self.block,
            reset=start == 0,
        )


class DawDreamer:
    """David Braun's DawDreamer."""

    def __init__(self, block):
        self.block = block
        # The engine must outlive its processors, else they are unloaded.
        self.engine = dawdreamer.RenderEngine(RATE, block)
        self.plugin = self.engine.make_plugin_processor("ictus", built("ICTUS_VST3"))
        self.indices = {d["name"]: d["index"] for d in self.plugin.get_parameters_description()}

    def parameters(self):
        return list(self.indices)

    def get(self, name):
        return self.plugin.get_parameter(self.indices[name])

    def set(self, name, value):
        self.plugin.set_parameter(self.indices[name], value)

    def save(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "state")
            self.plugin.save_state(path)
            with open(path, "rb") as file:
                return file.read()

    def restore(self, state):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "state")
            with open(path, "wb") as file:
                file.write(state)
            self.plugin.load_state(path)

    def play(self, automation=()):
        """The phrase; automation is given as a value for every sample, of which it hands on one a block."""
        self.plugin.clear_midi()
        for note in PHRASE["notes"]:
            self.plugin.add_midi_note(note["key"], note["velocity"], seconds(note["at"]), note["length"] / RATE)
        for name in {name for _, name, _ in automation}:
            values = numpy.full(FRAMES, self.get(name), numpy.float32)
            for at, _, value in sorted(move for move in automation if move[1] == name):
                values[at:] = value
            self.plugin.set_automation(self.indices[name], values)
        self.engine.load_graph([(self.plugin, [])])
        self.engine.render(FRAMES / RATE)
        return self.engine.get_audio()[:, :FRAMES]
