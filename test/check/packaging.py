"""Checks the recipes of packaging/: that they have the version of CMakeLists.txt and pyproject.toml's demands, a
dependency for each package that CMake looks for and no others, and install what there is, and, on Debian, that
the image has every library that the programs load.

    packaging.py READELF PROGRAM...
"""
import ast
import pathlib
import re
import shutil
import subprocess
import sys
from types import SimpleNamespace

SOURCE = pathlib.Path(__file__).resolve().parents[2]
# What CMake looks for: Debian's package in `dev`, Spack's, conda-forge's. Of the last two the least versions are
# those of CMake.
NAMES = {
    "TBB": ("libtbb-dev", "tbb", "tbb-devel"),
    "ZLIB": ("zlib1g-dev", "zlib-api", "zlib"),
    "zstd": ("libzstd-dev", "zstd", "zstd"),
    "LibArchive": ("libarchive-dev", "libarchive", "libarchive"),
    "nlohmann_json": ("nlohmann-json3-dev", "nlohmann-json", "nlohmann_json"),
    "Eigen3": ("libeigen3-dev", "eigen", "eigen"),
    "HDF5": ("libhdf5-dev", "hdf5", "hdf5"),
    "MLIR": ("libmlir-22-dev", "llvm", "mlir"),
    "Python": ("python3-dev", "python", "python"),
    "fast_float/fast_float.h": ("libfast-float-dev", "fast-float", "fast_float"),
    "toml++/toml.h": ("libtomlplusplus-dev", "tomlplusplus", "tomlplusplus"),
    "sleef.h": ("libsleef-dev", "sleef", "sleef"),
}
# Of the system or for tests alone; what only builds; what only runs.
NOT_PACKAGED = {"Threads", "GTest", "Strata"}
TOOLS = {"c", "cxx", "cmake", "ninja", "lld", "clangxx", "compiler-rt", "sysroot_linux-64", "llvmdev", "py-numpy", "numpy"}


def needed():
    """What CMake must find, with the least version or none."""
    text = "\n".join(file.read_text() for file in (SOURCE / "CMakeLists.txt", *(SOURCE / "cmake").glob("Strata*.cmake")))
    found = {name: version for name, version in re.findall(r"find_package\((\w+)(?: ([\d.]+))?[^)]*\)", text)
             if name not in NOT_PACKAGED}
    for header in re.findall(r"find_path\(\w+ (?:NAMES )?([\w+/.]+\.h)\b", text):
        if "mpi" not in header:
            found[header] = ""
    return found


class Package:
    """Stands in for Spack while its recipe is read: notes what is declared."""

    def __init__(self):
        self.dependencies, self.versions, self.options, self.installed, self.copied = {}, [], [], [], []

    def read(self, file):
        tree = ast.parse(file.read_text())
        tree.body = [node for node in tree.body if not isinstance(node, ast.ImportFrom)]
        names = {"CMakePackage": object, "license": lambda *a, **k: None, "maintainers": lambda *a: None,
                 "version": lambda text, **k: self.versions.append(text), "variant": lambda *a, **k: None,
                 "depends_on": lambda spec, **k: self.depends_on(spec), "extends": lambda *a, **k: None,
                 "run_after": lambda *a, **k: lambda function: function, "join_path": lambda *parts: "/".join(parts),
                 "install_tree": lambda source, target: self.copied.append(source)}
        exec(compile(tree, str(file), "exec"), names)
        recipe = names["StrataTensor"]()
        recipe.define = lambda name, value: self.options.append((name, value))
        recipe.spec = {"llvm": SimpleNamespace(prefix=Prefix("/llvm")),
                       "cmake": SimpleNamespace(command=lambda *arguments: self.installed.append(arguments[3])),
                       "python": SimpleNamespace(package=SimpleNamespace(platlib="lib/python"))}
        recipe.prefix, recipe.build_directory, recipe.stage = "/spack", "/build", SimpleNamespace(source_path=str(SOURCE))
        recipe.cmake_args()
        recipe.install_python()

    def depends_on(self, spec):
        name, _, version = spec.split()[0].partition("@")
        self.dependencies[name] = version.rstrip(":")


class Prefix(str):
    def __getattr__(self, name):
        return Prefix(f"{self}/{name}")

    def join(self, name):
        return Prefix(f"{self}/{name}")


def conda(text):
    """The requirements by section, and the values of `context`. The recipe is plain enough to be read by lines."""
    context = dict(re.findall(r'^  (\w+): "([^"]+)"$', text, re.MULTILINE))
    sections, current = {}, None
    for line in text.partition("\nrequirements:\n")[2].partition("\n\n")[0].splitlines():
        if match := re.fullmatch(r"  (\w+):", line):
            current = sections.setdefault(match[1], {})
        elif match := re.fullmatch(r"    - (\S+)(?: (?:>=)?(.+?)(?:\.\*)?)?", line):
            version = re.sub(r"\$\{\{ (\w+) \}\}", lambda m: context[m[1]], match[2] or "")
            current[match[1]] = version
    return context, sections


def compare(failures, kind, place, have, wanted):
    """`have` and `wanted`: least versions by name."""
    for name, version in wanted.items():
        if name not in have:
            failures.append(f"{kind} lacks {name}")
        elif version and have[name] != version:
            failures.append(f"{kind} has {name} from '{have[name]}', CMake from {version}")
    for name in sorted(set(have) - set(wanted) - TOOLS):
        failures.append(f"{kind} has {name}, which CMake does not look for: {place}")


def missing_libraries(readelf, programs, image):
    """Libraries of programs that no package of the image has; of those that this system has."""
    owners = {}
    for program in programs:
        text = subprocess.run([readelf, "-d", program], stdout=subprocess.PIPE, text=True, check=True).stdout
        for library in re.findall(r"NEEDED.*\[(.+?)\]", text):
            owners.setdefault(library, program)
    for library, program in owners.items():
        if re.match(r"libstrata|ld-linux|libc\.|libm\.|libdl\.|libpthread\.", library):
            continue
        text = subprocess.run(["dpkg", "-S", f"*/{library}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
        packages = set(re.findall(r"^([\w.+-]+)[:,]", text, re.MULTILINE))
        if packages and not packages & set(image):
            yield f"the image lacks {library} of {sorted(packages)[0]}, which {pathlib.Path(program).name} loads"


def main():
    failures = []
    cmake = (SOURCE / "CMakeLists.txt").read_text()
    version = re.search(r"project\(Strata VERSION ([\d.]+)", cmake)[1]
    wanted = needed()
    unknown = set(wanted) - set(NAMES)
    failures += [f"CMake looks for {name}; packaging.py has no packages for it" for name in sorted(unknown)]
    failures += [f"packaging.py has {name}, which CMake does not look for" for name in sorted(set(NAMES) - set(wanted))]
    known = {name: least for name, least in wanted.items() if name in NAMES}

    dev = set(re.search(r"^packages=\((.*?)^\)", (SOURCE / "dev").read_text(), re.M | re.S)[1].split())
    failures += [f"dev lacks {NAMES[name][0]}" for name in known if NAMES[name][0] not in dev]

    spack = Package()
    spack.read(SOURCE / "packaging/spack/package.py")
    if version not in spack.versions:
        failures.append(f"Spack's recipe has {spack.versions}, not {version}")
    components = set(re.findall(r"COMPONENT (\w+)", (SOURCE / "python/CMakeLists.txt").read_text()))
    failures += [f"Spack's recipe installs {name}, which is no component" for name in spack.installed if name not in components]
    failures += [f"Spack's recipe copies {name}, which is no folder" for name in spack.copied if not pathlib.Path(name).is_dir()]
    compare(failures, "Spack's recipe", "packaging/spack/package.py", spack.dependencies, {NAMES[name][1]: v for name, v in known.items()})
    options = set(re.findall(r"^\s*option\((\w+)", cmake, re.MULTILINE))
    context, sections = conda((SOURCE / "packaging/conda/recipe.yaml").read_text())
    given = set(re.findall(r"-D(STRATA_\w+)=", (SOURCE / "packaging/conda/recipe.yaml").read_text()))
    given |= {name for name, _ in spack.options if name.startswith("STRATA_")}
    failures += [f"a recipe sets {name}, which is no option" for name in sorted(given - options)]

    if context["version"] != version:
        failures.append(f"conda's recipe has {context['version']}, not {version}")
    compare(failures, "conda's recipe", "packaging/conda/recipe.yaml", sections["host"], {NAMES[name][2]: v for name, v in known.items()})
    project = (SOURCE / "pyproject.toml").read_text()
    numpy = re.search(r'"numpy>=([\d.]+)"', project)[1]
    python = re.search(r'requires-python = ">=([\d.]+)"', project)[1]
    for kind, have in (("Spack's recipe", spack.dependencies), ("conda's recipe", {**sections["run"], "py-numpy": sections["run"]["numpy"]})):
        if (have["py-numpy"], have["python"]) != (numpy, python):
            failures.append(f"{kind} has other versions of NumPy and Python than pyproject.toml")
    least = re.search(r"cmake_minimum_required\(VERSION ([\d.]+)", cmake)[1]
    if not spack.dependencies["cmake"] == sections["build"]["cmake"] == least:
        failures.append(f"the recipes have another CMake than {least}")

    image = (SOURCE / "packaging/Dockerfile").read_text()
    stages = re.split(r"^FROM ", image, flags=re.MULTILINE)[1:]
    if not all(stage.startswith("debian:12") for stage in stages) or "./dev setup" not in stages[0]:
        failures.append("the image is not made on Debian 12 by ./dev setup")
    packages = re.search(r"--no-install-recommends(.*?)&&", stages[-1].replace("\\\n", " "), re.S)[1].split()
    if shutil.which("dpkg") and len(sys.argv) > 2:
        failures += missing_libraries(sys.argv[1], sys.argv[2:], packages)
    print(*failures, sep="\n")
    print(f"{len(known)} dependencies, version {version}")
    sys.exit(bool(failures))


main()
