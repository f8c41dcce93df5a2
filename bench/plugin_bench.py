#!/usr/bin/env python3
"""Times compiling with and without mpi_thread_level.so, file by file in pairs.

Usage: plugin_bench.py [--plugin FILE] [--rounds 3] [--compiler gcc] [--flags "-O2 -g -fopenmp -I..."] SOURCE...

Each source is compiled both ways, one right behind the other, and the order changes from pair
to pair, as the machine changes meanwhile. Prints how much more processor time (user and system,
of the compiler's driver and all that it starts) the plugin takes, by the median of each source
and by its minimum, and the notes in per cent of the objects. What does not compile is left out
and counted. Figures are for reading: nothing here fails.
"""
import argparse
import pathlib
import resource
import shlex
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent


def processor_time(command):
    """In seconds; None: it failed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        return None
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def notes_in(object_file):
    """In bytes."""
    listed = subprocess.run(["size", "-A", object_file], capture_output=True, text=True, check=True)
    return sum(int(line.split()[1]) for line in listed.stdout.splitlines()
               if line.startswith(".mpi_thread_level"))


class Pairs:
    """What each source has taken, without the plugin and with it."""

    def __init__(self, command, plugin, folder):
        self.command = command
        self.objects = [folder / "plain.o", folder / "plugin.o"]
        self.options = [[], [f"-fplugin={plugin}", "-fplugin-arg-mpi_thread_level-quiet"]]
        self.times = {}
        self.notes = self.bytes = 0

    def compile(self, source, order):
        """False: it does not compile."""
        taken = [0.0, 0.0]
        for which in order:
            taken[which] = processor_time([*self.command, *self.options[which], "-c", source,
                                           "-o", str(self.objects[which])])
            if taken[which] is None:
                return False
        both = self.times.setdefault(source, ([], []))
        both[0].append(taken[0])
        both[1].append(taken[1])
        return True

    def count_notes(self):
        self.notes += notes_in(self.objects[1])
        self.bytes += self.objects[1].stat().st_size

    def total(self, which, choose):
        return sum(choose(both[which]) for both in self.times.values())

    def tell(self, rounds, left_out):
        print(f"{len(self.times)} sources, {rounds} pairs each, {left_out} left out")
        for name, choose in (("medians", statistics.median), ("minima", min)):
            plain, plugin = self.total(0, choose), self.total(1, choose)
            print(f"by {name}: {plain:.2f} s and {plugin:.2f} s, {100 * (plugin / plain - 1):+.2f} %")
        print(f"notes: {100 * self.notes / self.bytes:.2f} % of the objects")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plugin", default=str(ROOT / "build/release/lib/mpi_thread_level.so"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--compiler", default="gcc")
    parser.add_argument("--flags", default="-O2 -g -fopenmp")
    parser.add_argument("sources", nargs="+")
    options = parser.parse_args()
    left_out = set()
    with tempfile.TemporaryDirectory() as folder:
        pairs = Pairs([options.compiler, "-w", *shlex.split(options.flags)], options.plugin,
                      pathlib.Path(folder))
        for turn in range(options.rounds):
            for number, source in enumerate(options.sources):
                order = (0, 1) if (turn + number) % 2 == 0 else (1, 0)
                if source in left_out:
                    continue
                if not pairs.compile(source, order):
                    left_out.add(source)
                    pairs.times.pop(source, None)
                elif turn == 0:
                    pairs.count_notes()
        if pairs.times:
            pairs.tell(options.rounds, len(left_out))
        else:
            print("none of the sources compiles; see --compiler and --flags")


main()
