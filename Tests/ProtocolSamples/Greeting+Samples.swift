package import AutoFillWire
import KeywaySystem

extension Hello: DocumentedMethod {
    package static let summary =
        "Opens every connection: protocol version and role. Until it succeeded nothing else does."
    package static var sample: (parameters: Parameters, result: Result) {
        (Parameters(role: .terminal, name: "keyway 0.1.0"), Result(name: "keywayd 0.1.0"))
    }
}
