"""Spack's recipe, for a repository of your own (spack repo create): packages/strata_tensor/package.py.
The name strata is taken elsewhere, so that this package is strata-tensor."""

from spack.package import (
    CMakePackage,
    depends_on,
    extends,
    install_tree,
    join_path,
    license,
    maintainers,
    run_after,
    variant,
    version,
)


class StrataTensor(CMakePackage):
    """Strata compiles tensor algebra over any storage format: statements in index notation, for tensors
    stored in any combination of level formats, into machine code."""

    license("Apache-2.0 WITH LLVM-exception")
    maintainers()

    # The sources are a checkout: spack develop --path STRATA strata-tensor@0.1.0.
    version("0.1.0")

    variant("python", default=True, description="Install the Python package")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("llvm@22.1: +clang +lld +mlir +llvm_dylib", type=("build", "link"))
    depends_on("tbb", type=("build", "link", "run"))
    depends_on("zlib-api", type=("build", "link", "run"))
    depends_on("zstd", type=("build", "link", "run"))
    depends_on("libarchive@3.6:", type=("build", "link", "run"))
    depends_on("hdf5@1.10: ~mpi", type=("build", "link", "run"))
    depends_on("sleef", type=("build", "link", "run"))
    depends_on("nlohmann-json@3.10:", type="build")
    depends_on("eigen@3.4:", type="build")
    depends_on("fast-float", type="build")
    depends_on("tomlplusplus", type="build")
    extends("python", when="+python")
    depends_on("python@3.11:", when="+python", type=("build", "link", "run"))
    depends_on("py-numpy@1.24:", when="+python", type=("build", "run"))

    def cmake_args(self):
        llvm = self.spec["llvm"].prefix
        return [
            self.define("CMAKE_C_COMPILER", llvm.bin.clang),
            self.define("CMAKE_CXX_COMPILER", llvm.bin.join("clang++")),
            self.define("MLIR_DIR", llvm.lib.cmake.mlir),
            self.define("LLVM_DIR", llvm.lib.cmake.llvm),
            self.define("STRATA_TESTS", False),
            self.define("STRATA_STATIC_LLVM", False),
            self.define("STRATA_STATIC_HDF5", False),
        ]

    # What pip installs (pyproject.toml): the extension with its library and programs, and the modules.
    @run_after("install", when="+python")
    def install_python(self):
        packages = join_path(self.prefix, self.spec["python"].package.platlib)
        cmake = self.spec["cmake"].command
        cmake("--install", self.build_directory, "--component", "python", "--prefix", packages)
        install_tree(join_path(self.stage.source_path, "python", "strata"), join_path(packages, "strata"))
