"""The phrase that every host plays, and what the CLAP plug-in makes of it."""
import json
import os
import pathlib
import subprocess
import tempfile

import numpy

PHRASE = json.loads(pathlib.Path(__file__).with_name("phrase.json").read_text())
RATE = PHRASE["rate"]
FRAMES = PHRASE["frames"]
FIRST = min(note["at"] for note in PHRASE["notes"])


def built(name):
    """The built file that an environment variable points to."""
    path = os.environ.get(name)
    if not path:
        raise SystemExit(f"{name} is not set: run these tests by `cargo xtask test --only python`")
    return path


def seconds(sample):
    """A time inside the given sample: hosts turn seconds into samples, some by rounding and some by cutting off."""
    return (sample + 0.25) / RATE


def clap(block, moves=()):
    """The phrase as the CLAP plug-in plays it, with parameter moves (sample, name, value in 0..1)."""
    moves = [{"at": at, "param": name, "value": float(value)} for at, name, value in moves]
    with tempfile.TemporaryDirectory() as folder:
        phrase = pathlib.Path(folder, "phrase.json")
        out = pathlib.Path(folder, "out.f32")
        phrase.write_text(json.dumps({**PHRASE, "moves": moves}))
        command = [built("ICTUS_XTASK"), "render", "--clap", built("ICTUS_CLAP"), "--block", str(block)]
        subprocess.run([*command, "--phrase", str(phrase), "--out", str(out)], check=True)
        return numpy.fromfile(out, "<f4").reshape(-1, 2).T
