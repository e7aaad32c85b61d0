import Glibc
import PassReading

exit(await PassReaderCommand.run(CommandLine.arguments))
