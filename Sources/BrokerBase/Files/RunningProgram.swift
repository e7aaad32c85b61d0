import KeywaySystem

/// The file of the program that this process runs, and whether it still lies where it lay.
package struct RunningProgram: Sendable {
    private let path: String
    private let file: ProgramFile

    /// The program of this process, to be asked for as it starts; nil where the kernel doesn't tell.
    package init?() {
        guard let path = KeywayPaths.ownProgram(), let file = ProgramFile(path: "/proc/self/exe") else { return nil }
        self.init(path: path, file: file)
    }

    init(path: String, file: ProgramFile) {
        self.path = path
        self.file = file
    }

    /// The folder that it lay in.
    package var folder: String { FilePath.folder(of: path) }

    /// Whether another file lies there now, or none.
    package var isReplaced: Bool { ProgramFile(path: path)?.isSameFile(as: file) != true }
}
