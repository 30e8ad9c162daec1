# SPDX-License-Identifier: Apache-2.0
"""How busy the machine is, for tests that wait: they wait for what must happen, and for longer where others run."""
import os
import time


def slowness():
    """How many times slower than alone a process may be now: by those that want a processor, on average or at this moment."""
    with open("/proc/loadavg", encoding="ascii") as f:
        words = f.read().split()
    return max(1.0, max(float(words[0]), float(words[3].split("/")[0])) / (os.cpu_count() or 1))


def wait_until(holds, seconds=120, step=0.05):
    """Whether it came to hold within that time."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(step)
    return True
