import BrowserHost
import Glibc

exit(BrowserHost.run(arguments: CommandLine.arguments))
