package import AutoFillProtocol
package import AutoFillWire

extension ReadVersion: DocumentedMethod {
    package static let summary =
        "The newest version of a file of the provider's own that was noted; `locked` without the key."
    package static var sample: (parameters: Parameters, result: Result) {
        (Parameters(file: "0b9d1a52-6c1e-4a53-9a5e-3f0c7c3b6a11"), Result(version: 41))
    }
}

extension NoteVersion: DocumentedMethod {
    package static let summary =
        "Remembers the newest version of a file of the provider's own, under the settings' authentication code; an older one "
        + "changes nothing."
    package static var sample: (parameters: Parameters, result: Nothing) {
        (Parameters(file: "0b9d1a52-6c1e-4a53-9a5e-3f0c7c3b6a11", version: 42), Nothing())
    }
}
