// The published figures.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#include "strata/accelerator/Technology.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

namespace strata::accelerator {

namespace {

//===------------------------------------------------------------------------------------------===//
// Technologies
//===------------------------------------------------------------------------------------------===//

/// A. Stillmaker, B. Baas: Scaling equations for the accurate prediction of CMOS device performance
/// from 180 nm to 7 nm, Integration 58, 2017. The area of the same circuit by that at 45 nm (table
/// 1), and the coefficients of its energy as a polynomial of the voltage (table 5). The voltages
/// are the nominal ones of the models of transistors that the paper simulates; Horowitz's figures
/// are for 0.9 V.
struct Node {
  int64_t nanometers;
  double area, volts;
  double energy2, energy1, energy0;
};
constexpr Node nodes[] = {
    {45, 1, 0.9, 1.103, -0.362, 0.2767},        {32, 0.46, 0.9, 0.9559, -0.7823, 0.471},
    {20, 0.21, 0.9, 0.373, -0.1582, 0.04104},   {16, 0.19, 0.85, 0.2958, -0.1241, 0.03024},
    {14, 0.17, 0.8, 0.2363, -0.09675, 0.02239}, {10, 0.10, 0.75, 0.2068, -0.09311, 0.02375},
    {7, 0.059, 0.7, 0.1776, -0.09097, 0.02447}};

const Node *find(int64_t nanometers) {
  const auto *found =
      std::ranges::find_if(nodes, [&](const Node &one) { return one.nanometers == nanometers; });
  return found == std::end(nodes) ? nullptr : found;
}

const Node &nodeOf(int64_t nanometers) {
  const Node *found = find(nanometers);
  return found ? *found : nodes[0];
}

double energyOf(const Node &node) {
  return (node.energy2 * node.volts + node.energy1) * node.volts + node.energy0;
}

double areaScale(int64_t nanometers) { return nodeOf(nanometers).area; }
double energyScale(int64_t nanometers) { return energyOf(nodeOf(nanometers)) / energyOf(nodes[0]); }

UnitFigures scaled(UnitFigures figures, int64_t nanometers) {
  return {figures.picojoules * energyScale(nanometers), figures.area * areaScale(nanometers)};
}

//===------------------------------------------------------------------------------------------===//
// Units at 45 nm
//===------------------------------------------------------------------------------------------===//

/// M. Horowitz: Computing's energy problem (and what we can do about it), ISSCC 2014, for 45 nm and
/// 0.9 V. Of double precision it says nothing: these are its figures of single precision times the
/// ratio of the two in the tables of Aladdin (common/power_func.h, units of three stages at 6 ns):
/// 3.74 and 3.14 for a multiplication's energy and area, 3.01 and 2.48 for an addition's.
struct Arithmetic {
  Type type;
  UnitFigures multiplier, adder;
};
constexpr Arithmetic arithmetic[] = {
    {Type::int8, {0.2, 282}, {0.1, 137}}, // added as 32-bit integers
    {Type::int32, {3.1, 3495}, {0.1, 137}},
    {Type::float16, {1.1, 1640}, {0.4, 1360}},
    {Type::float32, {3.7, 7700}, {0.9, 4184}},
    {Type::float64, {3.7 * 3.74, 7700 * 3.14}, {0.9 * 3.01, 4184 * 2.48}}};

const Arithmetic &arithmeticOf(Type type) {
  return *std::ranges::find_if(arithmetic, [&](auto &one) { return one.type == type; });
}

/// Aladdin's tables (common/power_func.h), of a commercial 40 nm process: a bit of a register, and
/// the leakage of its multipliers by their area. They are taken for 45 nm as they are.
constexpr UnitFigures registerBit{9.0e-3, 5.98};
constexpr double leakageOfLogic = 0.0482 / 4595; ///< milliwatts for a square micrometre

//===------------------------------------------------------------------------------------------===//
// Static memory at 45 nm
//===------------------------------------------------------------------------------------------===//

/// Made by CACTI-P (Li, Chen, Ahn, Brockman, Jouppi: CACTI-P, ICCAD 2011; the version in Aladdin):
/// scratch memory of one bank, one port for reads and one for writes, 45 nm, transistors of low
/// standby power (ITRS LSTP) in cells and periphery, 300 K, the organisation of the least energy
/// and area.
struct MemoryRow {
  double bytes, area, readPicojoules, writePicojoules, leakageMilliwatts;
};
constexpr MemoryRow words1[] = {
    {64, 785, 0.204, 0.346, 0.00111},      {128, 1177, 0.349, 0.464, 0.00177},
    {256, 2342, 0.464, 0.703, 0.00292},    {512, 3821, 0.784, 0.916, 0.00565},
    {1024, 6769, 1.309, 1.229, 0.0104},    {2048, 14425, 2.293, 1.786, 0.0238},
    {4096, 28423, 4.181, 2.821, 0.0453},   {8192, 51431, 5.788, 3.144, 0.0874},
    {16384, 121920, 9.196, 6.129, 0.1686}, {32768, 227181, 11.76, 8.626, 0.3232},
    {65536, 410677, 17.85, 11.80, 0.6335}, {131072, 869431, 25.42, 18.80, 1.190}};
constexpr MemoryRow words2[] = {
    {128, 1219, 0.433, 0.717, 0.00182},    {256, 2089, 0.686, 0.915, 0.00305},
    {512, 3885, 0.902, 1.380, 0.00575},    {1024, 6888, 1.489, 1.754, 0.0103},
    {2048, 14393, 2.617, 2.455, 0.0234},   {4096, 26576, 3.406, 3.130, 0.0460},
    {8192, 50796, 6.386, 4.439, 0.0862},   {16384, 115494, 10.51, 7.793, 0.1642},
    {32768, 205980, 14.80, 9.514, 0.3192}, {65536, 421274, 19.88, 14.59, 0.6413},
    {131072, 869108, 28.98, 22.73, 1.202}};
constexpr MemoryRow words4[] = {
    {128, 1308, 0.648, 1.217, 0.00170},    {256, 2221, 0.909, 1.478, 0.00309},
    {512, 4025, 1.124, 2.294, 0.00579},    {1024, 7104, 1.851, 2.808, 0.0104},
    {2048, 14935, 3.265, 3.795, 0.0234},   {4096, 27118, 4.055, 5.172, 0.0459},
    {8192, 51356, 7.602, 7.049, 0.0858},   {16384, 99144, 14.65, 10.75, 0.1578},
    {32768, 208557, 17.93, 14.04, 0.3190}, {65536, 429027, 24.49, 20.60, 0.6424},
    {131072, 817421, 39.75, 29.18, 1.189}};
constexpr MemoryRow words8[] = {
    {128, 2117, 1.724, 2.209, 0.00173},    {256, 2915, 1.788, 2.925, 0.00312},
    {512, 4575, 2.263, 3.402, 0.00566},    {1024, 7662, 2.581, 4.920, 0.0105},
    {2048, 14247, 2.961, 7.702, 0.0203},   {4096, 28236, 5.348, 9.253, 0.0462},
    {8192, 53528, 10.04, 12.27, 0.0861},   {16384, 99313, 13.59, 18.18, 0.1697},
    {32768, 221503, 24.48, 23.38, 0.3229}, {65536, 461085, 34.57, 33.47, 0.6537},
    {131072, 853259, 54.60, 46.81, 1.208}};

/// CACTI-P's banks of 256 and 1,024 bytes with two ports of each kind, by those with one, on
/// average.
constexpr double portsArea = 2.5, portsEnergy = 1.4, portsLeakage = 1.5;

std::span<const MemoryRow> rowsFor(int64_t wordBytes) {
  if (wordBytes <= 1)
    return words1;
  if (wordBytes <= 2)
    return words2;
  return wordBytes <= 4 ? std::span<const MemoryRow>(words4) : std::span<const MemoryRow>(words8);
}

/// A figure between two rows, on the line through both in logarithmic scales. A bank that is
/// smaller than the first one counts as that; beyond the last one, the line goes on.
double between(std::span<const MemoryRow> rows, double MemoryRow::*figure, double bytes) {
  if (bytes <= rows.front().bytes)
    return rows.front().*figure;
  size_t upper = 1;
  while (upper + 1 < rows.size() && rows[upper].bytes < bytes)
    ++upper;
  const MemoryRow &low = rows[upper - 1], &high = rows[upper];
  const double share = std::log(bytes / low.bytes) / std::log(high.bytes / low.bytes);
  return low.*figure * std::pow(high.*figure / (low.*figure), share);
}

} // namespace

bool knowsTechnology(int64_t nanometers) { return find(nanometers) != nullptr; }

UnitFigures multiplierFigures(Type type, int64_t nanometers) {
  return scaled(arithmeticOf(type).multiplier, nanometers);
}

UnitFigures adderFigures(Type type, int64_t nanometers) {
  return scaled(arithmeticOf(type).adder, nanometers);
}

UnitFigures registerBitFigures(int64_t nanometers) { return scaled(registerBit, nanometers); }

BankFigures bankFigures(int64_t bytes, int64_t wordBytes, int64_t ports, int64_t nanometers) {
  const std::span<const MemoryRow> rows = rowsFor(wordBytes);
  const auto figure = [&](double MemoryRow::*one) { return between(rows, one, double(bytes)); };
  const double area = areaScale(nanometers) * (ports > 1 ? portsArea : 1);
  const double energy = energyScale(nanometers) * (ports > 1 ? portsEnergy : 1);
  const double leakage = energyScale(nanometers) * (ports > 1 ? portsLeakage : 1);
  return {.area = figure(&MemoryRow::area) * area,
          .readPicojoules = figure(&MemoryRow::readPicojoules) * energy,
          .writePicojoules = figure(&MemoryRow::writePicojoules) * energy,
          .leakageMilliwatts = figure(&MemoryRow::leakageMilliwatts) * leakage};
}

// The same energy that a technology saves in switching it is taken to save in leaking, for a
// circuit: of the area that it then has, this is what is left for each part of it.
double logicLeakage(int64_t nanometers) {
  return leakageOfLogic * energyScale(nanometers) / areaScale(nanometers);
}

} // namespace strata::accelerator
