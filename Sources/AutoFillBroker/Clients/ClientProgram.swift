import AutoFillWire
import BrokerBase
import Glibc
import KeywaySystem

/// The program that runs in a process which connected, as the kernel tells it.
///
/// It is a label for the question to the person, and what their answer is remembered for; no authority. A program of the
/// same user can put code of its own into another one, or hand a connection on before it becomes another one.
struct ClientProgram: Sendable {
    /// The file's path.
    let path: String
    /// The file: another one is another program.
    let file: ProgramFile
    /// Whether it lies where only the system's administrator can put it: then its path is enough to know it again, and
    /// an update changes nothing.
    let isSystems: Bool
    /// What it holds, while that may still be asked for: the process may hide it from now on.
    var contents: OwnedDescriptor?

    /// What `process` runs; nil when it has ended, or hides it.
    init?(of process: PeerProcess) {
        guard let open = process.program, let file = ProgramFile(open), let path = process.programPath else {
            return nil
        }
        self.path = path
        self.file = file
        isSystems = Self.isSystems(path, file)
        contents = open
    }

    private static func isSystems(_ path: String, _ file: ProgramFile) -> Bool {
        let folder = FilePath.folder(of: path)
        // The path is one of the process's own surroundings: another file may lie there, and that one is meant by it.
        guard ProgramFile(path: path)?.isSameFile(as: file) == true else { return false }
        return file.owner == 0 && !file.isWritableByOthers && SystemFolder.isOne(String(folder))
    }

    /// The last part of the path.
    var name: String { DisplayText.line(FilePath.name(of: path)) }
}

/// What programs hold, read again only when their files have changed.
actor ProgramDigests {
    private var known: [ProgramFile: String] = [:]

    /// What the program holds, in hexadecimal digits; nil when that cannot be read, or has changed.
    func digest(of program: ClientProgram) -> String? {
        if let digest = known[program.file] { return digest }
        guard let file = program.contents, ProgramFile(file) == program.file,
            let digest = try? ProgramDigest.make(of: file, mustBeBinary: false).hexadecimal,
            // The file of before and of after the reading must be one, or what was read is of neither.
            ProgramFile(file) == program.file
        else { return nil }
        if known.count > 64 { known = [:] }
        known[program.file] = digest
        return digest
    }
}
