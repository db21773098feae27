"""Keeps other programs out of figures: turns before which the processor's clock ran at another
speed are dropped, and a section whose processors other processes took is void."""

import os
import statistics
import time

import numpy

SPREAD = 0.03  # of the clock's speed within a run
MOST_FOREIGN = 0.05  # of the processors
ADDENDS = numpy.ones(4000)
SUMS = numpy.empty_like(ADDENDS)
BUSY = (0, 1, 2, 5, 6, 7)  # user, nice, system, irq, softirq, steal: columns of /proc/stat


def chain():
    """Seconds of a chain of dependent additions, which only the clock's speed changes: the least of
    three, since a process may be interrupted."""
    least = float("inf")
    for _ in range(3):
        begin = time.perf_counter()
        numpy.add.accumulate(ADDENDS, out=SUMS)
        least = min(least, time.perf_counter() - begin)
    return least


def busy_seconds():
    """Of all processors since the machine started; what its host gave to others counts as well."""
    with open("/proc/stat") as file:
        ticks = file.readline().split()[1:]
    return sum(int(ticks[column]) for column in BUSY) / os.sysconf("SC_CLK_TCK")


def own_seconds():
    """Of this process and of its children that have ended."""
    return sum(os.times()[:4])


class Record:
    """What the contests of a section have dropped, and what others took of the processors."""

    def __init__(self):
        self.chains = []  # of all contests of the run
        self.begin()

    def begin(self):
        """A section begins."""
        self.turns = self.dropped = self.noisy = 0
        self.busy, self.own, self.clock = busy_seconds(), own_seconds(), time.perf_counter()

    def add(self, turns, dropped, noisy):
        """What contests in another process have counted."""
        self.turns += turns
        self.dropped += dropped
        self.noisy += noisy

    def counts(self):
        return {"turns": self.turns, "dropped": self.dropped, "noisy": self.noisy}

    def foreign(self):
        """The share of the processors that other processes took since the section began."""
        busy, own = busy_seconds() - self.busy, own_seconds() - self.own
        passed = (time.perf_counter() - self.clock) * os.cpu_count()
        return max(busy - own, 0) / passed

    def summary(self):
        """At a section's end: its figures about the machine, and the same in words."""
        figures = {**self.counts(), "foreign": self.foreign()}
        figures["void"] = figures["foreign"] > MOST_FOREIGN
        text = f"other processes took {100 * figures['foreign']:.1f} % of the processors"
        if self.turns:
            text += f"; {self.dropped} of {self.turns} turns were dropped"
        if self.noisy:
            text += (
                f"; the machine was too noisy for {self.noisy} contests, which kept turns "
                f"at other speeds of the clock"
            )
        if figures["void"]:
            text += f"\nVOID: others took more than {100 * MOST_FOREIGN:.0f} %"
        return figures, text


RECORD = Record()


class Clock:
    """The speed of the processor's clock in one contest."""

    def __init__(self):
        self.chains = []

    def tick(self):
        """A turn is about to begin."""
        self.chains.append(chain())

    def kept(self, turns):
        """The turns before which the clock had its usual speed, the median of the run; all of them
        where these would be fewer than half."""
        RECORD.chains += self.chains
        usual = statistics.median(RECORD.chains)
        kept = [
            turn for turn, seconds in zip(turns, self.chains) if abs(seconds / usual - 1) <= SPREAD
        ]
        if 2 * len(kept) < len(turns):
            RECORD.add(len(turns), 0, 1)
            return turns
        RECORD.add(len(turns), len(turns) - len(kept), 0)
        return kept
