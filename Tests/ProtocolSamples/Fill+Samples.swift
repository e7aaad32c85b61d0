package import AutoFillProtocol
import AutoFillWire
import KeywaySystem

extension Fill: DocumentedMethod {
    package static let summary = "One credential from one provider, once, for the services that asked."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(
                    target: .suggestion(handle: "q3K0cJ1f8mU"),
                    services: [ServiceIdentifier("https://m.example.com/login", kind: .url)], presents: false),
                Result(credential: .password(user: "ada", password: try .sample()), provider: .sample)
            )
        }
    }
}

extension FillWaiting: DocumentedNotification {
    package static let summary =
        "What the person must do before a `fill` can go on, to a caller that shows no interface."
    package static var sample: Parameters {
        Parameters(request: 7, provider: .sample, command: "keyway passwords unlock")
    }
}

extension Attachment {
    /// A secret for the examples of the documentation.
    static func sample() throws(ProtocolError) -> Attachment {
        Attachment(try SealedMemory(copying: UnsafeRawBufferPointer(start: nil, count: 0)))
    }
}
