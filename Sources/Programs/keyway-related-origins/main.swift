import Glibc
import RelatedOrigins

exit(RelatedOriginCommand.run(CommandLine.arguments))
