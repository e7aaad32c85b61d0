package import AutoFillProtocol
package import AutoFillWire

extension CommitChanges: DocumentedMethod {
    package static let summary =
        "Commits files of a git work tree that the bundle may change; without hooks, filters and signatures."
    package static var sample: (parameters: Parameters, result: Nothing) {
        (
            Parameters(
                repository: "/home/ada/.password-store", paths: ["example.com/ada.gpg"], message: "Add example.com/ada."
            ),
            Nothing()
        )
    }
}
