// Answers the requests of a relying party without a browser, for the servers that judge the authenticator
// (Tests/Tools/test_authenticator.py): one JSON object a line comes, and one goes. Passkeys live as long as the program.

import Authenticator
import FoundationEssentials
import Glibc

var probe = Probe()
while let line = readLine() {
    print(probe.answer(Data(line.utf8)))
    // Into a pipe, lines would wait for others.
    fflush(nil)
}
