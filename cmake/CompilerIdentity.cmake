# Writes OUTPUT, which defines compilerIdentity(): a digest of what makes kernels, which is all
# sources in FOLDER but those of the front end, the library, the reference and the model of
# accelerators, and LLVM's VERSION.
file(GLOB_RECURSE sources RELATIVE ${FOLDER}
  ${FOLDER}/*.h ${FOLDER}/*.cpp ${FOLDER}/*.td ${FOLDER}/*.def)
list(SORT sources)
set(digests "LLVM ${VERSION}\n")
foreach(source ${sources})
  if(NOT source MATCHES "^(frontend|api|reference|accelerator|runtime/io)/")
    file(SHA256 ${FOLDER}/${source} digest)
    string(APPEND digests "${source} ${digest}\n")
  endif()
endforeach()
string(SHA256 identity "${digests}")
file(WRITE ${OUTPUT} "// Written by CompilerIdentity.cmake.
#include \"strata/compile/CompilerIdentity.h\"

llvm::StringRef strata::compilerIdentity() { return \"${identity}\"; }
")
