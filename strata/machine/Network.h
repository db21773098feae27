// A network has speeds: how long messages between processes take.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_MACHINE_NETWORK_H
#define STRATA_MACHINE_NETWORK_H

#include "strata/runtime/Status.h"

#include <cstdint>
#include <string>

namespace strata::machine {

/// As messages between two processes see it. The defaults are those of a usual cluster.
struct Network {
  std::string measured = {}; ///< the date; empty if nothing has been
  double latency = 1.5e-6;   ///< seconds that each message takes, however short
  double bandwidth = 12.5e9; ///< bytes in a second from one process to another
  double nodeBandwidth = 0;  ///< bytes in a second from one node to others; 0: no limit
  int64_t ranksPerNode = 1;  ///< that share the node's
  double totalBandwidth = 0; ///< bytes in a second between all nodes together; 0: no limit

  /// Seconds that a process takes for what it sends, or for what it gets.
  double secondsFor(int64_t messages, int64_t bytes) const {
    return latency * double(messages) + double(bytes) / bandwidth;
  }
  /// The same of operations of so many processes together that give each of them so many bytes.
  double secondsForCollectives(int64_t operations, int64_t bytes, int64_t ranks) const;
};

/// Reads what writeNetwork() has written, or a person: numbers that are not there have defaults.
runtime::Result<Network> readNetwork(const std::string &file);
runtime::Status writeNetwork(const Network &network, const std::string &file);

} // namespace strata::machine

#endif // STRATA_MACHINE_NETWORK_H
