"""Runs a command, interrupts it a second after it has made a file, and says how it ended.

    interrupt.py [--ignored] FILE COMMAND...

With --ignored the command is started so that it ignores interrupts and requests to end, as in the background; it
gets both, and is killed a second later.
"""

import pathlib
import signal
import subprocess
import sys
import time

arguments = sys.argv[1:]
ignored = arguments[0] == "--ignored"
made, *command = arguments[ignored:]
signals = [signal.SIGINT, signal.SIGTERM] if ignored else [signal.SIGINT]


def prepare():
    """Sets what happens at the signals: whoever runs this in the background may have told it to ignore them."""
    for one in signals:
        signal.signal(one, signal.SIG_IGN if ignored else signal.SIG_DFL)


process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=prepare)
while process.poll() is None and not pathlib.Path(made).exists():
    time.sleep(0.1)
time.sleep(1)
for one in signals:
    process.send_signal(one)
if ignored:
    time.sleep(1)
    process.kill()
try:
    said = process.communicate(timeout=60)[1]
finally:
    process.kill()
print(f"{said}ended by signal {-process.returncode}")
