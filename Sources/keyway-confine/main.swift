import Glibc

ConfineProgram.main(CommandLine.arguments)
