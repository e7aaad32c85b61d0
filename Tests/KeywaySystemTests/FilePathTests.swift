import Testing

@testable import KeywaySystem

struct FilePathTests {
    @Test(arguments: [
        ("/usr/bin/keyway", "/usr/bin", "keyway"), ("/keyway", "", "keyway"), ("keyway", "", "keyway"), ("", "", ""),
        ("a/b", "a", "b"), ("/usr/bin/", "/usr/bin", "bin"),
    ])
    func aPathHasAFolderAndAName(path: String, folder: String, name: String) {
        #expect(FilePath.folder(of: path) == folder)
        #expect(FilePath.name(of: path) == name)
    }
}
