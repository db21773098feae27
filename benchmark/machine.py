"""What figures depend on: the machine and the versions."""
import os
import platform
import re
import subprocess

import numpy
import scipy


def cpu():
    """The processor's name, its cores, its caches."""
    text = subprocess.run(["lscpu"], stdout=subprocess.PIPE, text=True).stdout
    facts = dict(re.findall(r"^(.*?):\s+(.*)$", text, re.MULTILINE))
    caches = ", ".join(f"{name} {facts[key]}" for name, key in
                       (("L1d", "L1d cache"), ("L2", "L2 cache"), ("L3", "L3 cache"))
                       if key in facts)
    family = f"family {facts.get('CPU family')} model {facts.get('Model')}"
    return f"{facts.get('Model name')} ({family}), {os.cpu_count()} cores; {caches}"


def memory():
    with open("/proc/meminfo") as file:
        return f"{int(file.readline().split()[1]) / 2**20:.0f} GiB"


def eigen():
    header = "/usr/include/eigen3/Eigen/src/Core/util/Macros.h"
    try:
        text = open(header).read()
    except OSError:
        return "unknown"
    return ".".join(re.search(rf"EIGEN_{part}_VERSION (\d+)", text).group(1)
                    for part in ("WORLD", "MAJOR", "MINOR"))


def facts(build):
    strata = subprocess.run([f"{build}/bin/strata", "--version"], stdout=subprocess.PIPE,
                            text=True).stdout
    return {"processor": cpu(), "memory": memory(),
            "system": f"{platform.system()} {platform.release()}",
            "load": " ".join(f"{load:.1f}" for load in os.getloadavg()),
            "Strata": " ".join(strata.split()), "Eigen": eigen(),
            "SciPy": f"{scipy.__version__}, NumPy {numpy.__version__}"}
