"""Runs a command, interrupts it a second after it has made a file, and says how it ended.

    interrupt.py FILE COMMAND...
"""

import pathlib
import signal
import subprocess
import sys
import time

# Whoever runs this in the background may have told it to ignore interrupts.
process = subprocess.Popen(sys.argv[2:], stderr=subprocess.PIPE, text=True,
                           preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
while process.poll() is None and not pathlib.Path(sys.argv[1]).exists():
    time.sleep(0.1)
time.sleep(1)
process.send_signal(signal.SIGINT)
try:
    said = process.communicate(timeout=60)[1]
finally:
    process.kill()
print(f"{said}ended by signal {-process.returncode}")
