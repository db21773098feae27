// The figures of a network, as JSON in a file.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/machine/Network.h"
#include "strata/machine/JsonFile.h"

#include <cmath>
#include <fstream>

namespace strata::machine {

using nlohmann::json;
using runtime::Error;
using runtime::Result;
using runtime::Status;

namespace {

/// The numbers of a network by their names in files.
struct Number {
  const char *name;
  double Network::*value;
};
constexpr Number numbers[] = {{"latency_seconds", &Network::latency},
                              {"bytes_per_second", &Network::bandwidth},
                              {"node_bytes_per_second", &Network::nodeBandwidth},
                              {"total_bytes_per_second", &Network::totalBandwidth}};
constexpr const char *ranksName = "ranks_per_node", *dateName = "measured";

/// Why a content is none of a network; empty if it is.
std::string faultOf(const json &content) {
  if (!content.is_object())
    return "it is no object of JSON";
  for (const auto &[name, value] : content.items()) {
    const bool isNumber = std::ranges::any_of(
        numbers, [&, &name = name](const Number &number) { return name == number.name; });
    if (isNumber && (!value.is_number() || value.get<double>() < 0))
      return "'" + name + "' is no number from 0 on";
    if (name == ranksName && (!value.is_number_integer() || value.get<int64_t>() < 1))
      return "'" + name + "' is no whole number from 1 on";
    if (!isNumber && name != ranksName && name != dateName)
      return "there is no figure '" + name + "'";
  }
  return "";
}

} // namespace

double Network::secondsForCollectives(int64_t operations, int64_t bytes, int64_t ranks) const {
  const double rounds = ranks > 1 ? std::ceil(std::log2(double(ranks))) : 0;
  return rounds * latency * double(operations) + (ranks > 1 ? double(bytes) / bandwidth : 0);
}

Result<Network> readNetwork(const std::string &file) {
  std::ifstream in(file);
  if (!in)
    return Error{Error::FileAccess, "cannot read '" + file + "'"};
  const json content = json::parse(in, nullptr, /*allow_exceptions=*/false);
  if (const std::string fault = faultOf(content); !fault.empty())
    return Error{Error::Description, "'" + file + "' does not describe a network: " + fault,
                 "'strata ranks --measure=FILE' writes such a file"};
  Network network;
  for (const Number &number : numbers)
    network.*number.value = content.value(number.name, network.*number.value);
  network.ranksPerNode = content.value(ranksName, network.ranksPerNode);
  if (content.contains(dateName) && content[dateName].is_string())
    network.measured = content[dateName].get<std::string>();
  if (network.bandwidth <= 0)
    return Error{Error::Description,
                 "'" + file + "' does not describe a network: 'bytes_per_second' is 0"};
  return network;
}

Status writeNetwork(const Network &network, const std::string &file) {
  json content = {{dateName, network.measured}, {ranksName, network.ranksPerNode}};
  for (const Number &number : numbers)
    content[number.name] = network.*number.value;
  return writeJson(content, file);
}

} // namespace strata::machine
