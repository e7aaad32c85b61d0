import Glibc
import ImportReading

exit(ImportReaderCommand.run(CommandLine.arguments))
