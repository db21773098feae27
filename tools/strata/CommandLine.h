// The command line as a function of the library libstrata.so.0, whose compiler it shares.
#ifndef STRATA_TOOLS_COMMANDLINE_H
#define STRATA_TOOLS_COMMANDLINE_H

/// Does what the program `strata` does with these arguments, the first of which is its name.
/// Returns its exit status. It takes the process for its own: it waits for Ctrl-C, and writes to
/// the standard streams. To be called once.
extern "C" int strata_command_line(int count, char **arguments);

#endif // STRATA_TOOLS_COMMANDLINE_H
