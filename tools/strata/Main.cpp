// The program `strata`.
#include "CommandLine.h"

int main(int count, char **arguments) { return strata_command_line(count, arguments); }
