import Glibc
import QRReading

exit(QRReaderCommand.run(CommandLine.arguments))
