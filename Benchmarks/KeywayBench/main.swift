import Benchmarking
import Glibc

signal(SIGPIPE, SIG_IGN)
exit(await CommandLineProgram.run(Array(CommandLine.arguments.dropFirst())))
