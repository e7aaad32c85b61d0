package import AutoFillProtocol
package import AutoFillWire

extension IdentityStoreState: DocumentedMethod {
    package static let summary = "Whether the provider's identity store takes writes, and whether it holds anything."
    package static var sample: (parameters: Nothing, result: Result) {
        (Nothing(), Result(isEnabled: true, supportsIncrementalUpdates: false))
    }
}

extension WriteIdentities: DocumentedMethod {
    package static let summary =
        "Replaces, saves or removes identities of the provider's own store, in parts that take effect together."
    package static var sample: (parameters: Parameters, result: Result) {
        (Parameters(operation: .save, identities: [.sample]), Result(write: nil))
    }
}

extension ReadIdentities: DocumentedMethod {
    package static let summary = "What the provider's own store holds, a page at a time."
    package static var sample: (parameters: Parameters, result: Result) {
        (Parameters(), Result(identities: [.sample], next: nil))
    }
}
