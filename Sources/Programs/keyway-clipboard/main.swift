import ClipboardService
import Glibc

exit(ClipboardProgram.run(CommandLine.arguments))
