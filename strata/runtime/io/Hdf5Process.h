// The program strata-hdf5, run by a process that needs what it does.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_RUNTIME_IO_HDF5PROCESS_H
#define STRATA_RUNTIME_IO_HDF5PROCESS_H

#include "strata/runtime/Status.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace strata::runtime {

/// A file descriptor, closed at the end.
class Descriptor {
public:
  explicit Descriptor(int number = -1) : number(number) {}
  Descriptor(Descriptor &&other) noexcept : number(std::exchange(other.number, -1)) {}
  Descriptor &operator=(Descriptor &&other) noexcept {
    std::swap(number, other.number);
    return *this;
  }
  ~Descriptor() { close(); }
  void close();
  explicit operator bool() const { return number >= 0; }
  int get() const { return number; }

private:
  int number;
};

/// A file that is in memory alone. What is closed is no standard stream of any process.
Result<Descriptor> makeMemoryFile();

/// The program at work. It is looked for beside the library or the program that contains this code,
/// in the folder of programs that belongs to that of the library, and in PATH.
class Hdf5Process {
public:
  /// Starts it with these arguments, and with these descriptors as its standard input and output.
  static Result<Hdf5Process> start(const std::vector<std::string> &arguments, int input,
                                   int output);
  Hdf5Process(Hdf5Process &&other) noexcept : process(std::exchange(other.process, -1)) {}
  ~Hdf5Process() { wait(); }
  /// Waits for its end.
  void wait();

private:
  explicit Hdf5Process(pid_t process) : process(process) {}

  pid_t process;
};

} // namespace strata::runtime
#endif // STRATA_RUNTIME_IO_HDF5PROCESS_H
