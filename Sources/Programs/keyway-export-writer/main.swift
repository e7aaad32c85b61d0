import ExportWriting
import Glibc

exit(ExportWriterCommand.run(CommandLine.arguments))
