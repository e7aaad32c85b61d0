import BrowserPasswords
import Glibc

exit(BrowserPasswordsCommand.run(CommandLine.arguments))
