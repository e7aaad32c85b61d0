import Foundation
import Testing

/// Runs a script of many commands in one shell.
enum Shell {
    static func lines(of script: String) throws -> [String] {
        let process = Process()
        let (input, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: "/bin/sh")
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // What comes out while the script still goes in fits no pipe.
        let writer = Thread {
            try? input.fileHandleForWriting.write(contentsOf: Data(script.utf8))
            try? input.fileHandleForWriting.close()
        }
        writer.start()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
