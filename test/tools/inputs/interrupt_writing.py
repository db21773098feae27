"""Ends a command by a signal as soon as it writes a file, and says how it ended and what has the file's name.

    interrupt_writing.py SIGNAL FILE COMMAND...
"""

import glob
import pathlib
import signal
import subprocess
import sys
import time

name, path, *command = sys.argv[1:]
chosen = signal.Signals[name]
# Whoever runs this in the background may have told it to ignore the signal.
process = subprocess.Popen(command, preexec_fn=lambda: signal.signal(chosen, signal.SIG_DFL))
while process.poll() is None and not glob.glob(glob.escape(path) + ".*"):
    time.sleep(0.001)
process.send_signal(chosen)
try:
    process.wait(timeout=60)
finally:
    process.kill()
left = sorted(one.name for one in pathlib.Path(path).parent.glob(glob.escape(pathlib.Path(path).name) + "*"))
print(f"ended by {signal.Signals(-process.returncode).name}, and left: {' '.join(left)}")
