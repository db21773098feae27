// The loops whose speed tells what the machine can do.
//
// Part of Strata, under the Apache License v2.0 with LLVM Exceptions.
#ifndef STRATA_MACHINE_LOOPS_H
#define STRATA_MACHINE_LOOPS_H

#include <cstddef>
#include <cstdint>

namespace strata::machine {

/// Tell whether this processor has vectors of 128, 256, 512 bits (`width` 0, 1, 2), and gathers.
bool hasVectors(size_t width);
bool hasGathers();

/// Reads so many doubles by the widest vectors.
void readDoubles(const double *from, int64_t count);
/// Reads a double of so many lines, one after the other, anywhere among `lines`, a power of two;
/// gives where the next call goes on.
uint64_t jumpAmongLines(const double *from, uint64_t lines, uint64_t seed, int64_t jumps);
/// Multiplies and adds in `steps` times a dozen registers; gives the operations on doubles.
double multiplyAdd(size_t width, int64_t steps);
/// Does so many steps, each of two operations of a cycle each, the second on what the first gives.
void rotateInTurn(int64_t steps);
/// Adds up the values at places by vectors, whose elements are gathered, or loaded one by one.
void sumGathered(const double *values, const int32_t *places, int64_t count);
void sumLoaded(const double *values, const int32_t *places, int64_t count);
/// Follows links from line to line, of so many words each; gives the last.
uint32_t followLinks(const uint32_t *next, size_t line, uint32_t first, int64_t steps);
/// Branches on each byte.
void countChoices(const uint8_t *choices, int64_t count);

} // namespace strata::machine

#endif // STRATA_MACHINE_LOOPS_H
