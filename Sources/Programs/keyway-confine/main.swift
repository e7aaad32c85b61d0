import ConfinementEntry
import Glibc

ConfineProgram.main(CommandLine.arguments)
