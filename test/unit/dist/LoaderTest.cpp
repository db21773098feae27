// What is loaded, by what the environment says, where no MPI need be installed.
#include "strata/runtime/dist/Loader.h"

#include <cstdlib>
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strata::runtime::dist {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Nothing of a launcher is in the environment, before a test and after.
class LoaderTest : public testing::Test {
protected:
  void SetUp() override { clear(); }
  void TearDown() override { clear(); }

  static void clear() {
    for (const char *name :
         {"STRATA_MPI", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_SIZE", "PMI_RANK",
          "PMIX_RANK", "SLURM_STEP_ID", "SLURM_STEP_NUM_TASKS"})
      unsetenv(name);
  }

  static std::string failureOf(const char *name, bool hasCommunicator = false) {
    setenv("STRATA_MPI", name, 1);
    Result<Engine> engine = findEngine(hasCommunicator);
    return engine ? "" : engine.error().text();
  }

  static bool isLoaded(const char *library) {
    return dlopen(library, RTLD_NOW | RTLD_NOLOAD) != nullptr;
  }
};

TEST_F(LoaderTest, loadsNothingWithoutLauncher) {
  EXPECT_FALSE(findLauncher().has_value());
  Result<Engine> engine = findEngine(false);
  ASSERT_TRUE(engine.ok());
  EXPECT_STREQ(engine->provider->name, "self");
  EXPECT_EQ(engine->library, "");
  for (const char *library : {"libmpi.so.40", "libmpi.so.12", "libmpich.so.12", "libmpi_abi.so.1"})
    EXPECT_FALSE(isLoaded(library)) << library;
}

TEST_F(LoaderTest, knowsLaunchers) {
  setenv("PMIX_RANK", "1", 1);
  EXPECT_EQ(findLauncher()->name, "a launcher with PMIx");
  EXPECT_EQ(findLauncher()->processes, 0);
  setenv("SLURM_STEP_ID", "0", 1);
  setenv("SLURM_STEP_NUM_TASKS", "8", 1);
  EXPECT_EQ(findLauncher()->name, "srun");
  EXPECT_EQ(findLauncher()->processes, 8);
  unsetenv("SLURM_STEP_ID");
  setenv("PMI_SIZE", "3", 1);
  setenv("PMI_RANK", "2", 1);
  EXPECT_EQ(findLauncher()->name, "MPICH's launcher");
  EXPECT_EQ(findLauncher()->processes, 3);
  EXPECT_EQ(findLauncher()->rank, 2);
  setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
  EXPECT_EQ(findLauncher()->name, "Open MPI's launcher");
  EXPECT_EQ(findLauncher()->processes, 4);
}

TEST_F(LoaderTest, takesNoMpiIfTold) {
  setenv("PMI_SIZE", "3", 1);
  EXPECT_EQ(failureOf("self"), "");
  EXPECT_THAT(failureOf("self", /*hasCommunicator=*/true), HasSubstr("STRATA_MPI=self"));
}

TEST_F(LoaderTest, refusesWhatIsNoMpi) {
  EXPECT_THAT(failureOf("libnowhere.so"), HasSubstr("STRATA_MPI cannot be loaded: libnowhere.so"));
  EXPECT_THAT(failureOf("libz.so.1"), HasSubstr("no library of MPI and no plugin"));
}

TEST_F(LoaderTest, needsALibraryForACommunicator) {
  Result<Engine> engine = findEngine(/*hasCommunicator=*/true);
  ASSERT_FALSE(engine.ok());
  EXPECT_THAT(engine.error().text(), HasSubstr("has loaded no library of MPI"));
}

TEST_F(LoaderTest, shortensVersions) {
  EXPECT_EQ(shortVersion("Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4"),
            "Open MPI v4.1.4");
  EXPECT_EQ(shortVersion("MPICH Version:      4.0.2\nMPICH Release date: today"), "MPICH 4.0.2");
  EXPECT_EQ(shortVersion("Intel(R) MPI Library 2021.19 for Linux* OS\n"),
            "Intel(R) MPI Library 2021.19 for Linux* OS");
  EXPECT_EQ(shortVersion(""), "");
}

TEST_F(LoaderTest, hasACompleteSource) {
  const std::string source = pluginSource();
  EXPECT_THAT(source, HasSubstr("MPI_Recv_init"));
  EXPECT_THAT(source, HasSubstr("typedef struct strata_provider"));
  EXPECT_THAT(source, Not(HasSubstr("#include \"")));
}

} // namespace
} // namespace strata::runtime::dist
