/// What a registration answers with (WebAuthn Level 3, section 6.5.4): authenticator data, and a statement about it.
package struct AttestationObject: Hashable, Sendable {
    /// The format of the statement, such as `none` or `packed`.
    package let format: String
    /// The statement, a map.
    package let statement: CBORValue
    /// The authenticator data, taken apart.
    package let authenticatorData: AuthenticatorData

    /// An object that attests nothing (section 8.7).
    package static func none(_ data: AuthenticatorData) -> AttestationObject {
        AttestationObject(format: "none", statement: .map([:]), authenticatorData: data)
    }

    /// Self attestation (section 8.2): the new key signs for itself, which shows that the private half exists.
    ///
    /// - Parameter signature: by `algorithm` over the authenticator data and the hash of the client data.
    package static func selfAttested(
        _ data: AuthenticatorData, by algorithm: SignatureAlgorithm, signature: [UInt8]
    ) -> AttestationObject {
        let statement: [CBORValue: CBORValue] = [
            .text("alg"): .integer(algorithm.rawValue), .text("sig"): .bytes(signature),
        ]
        return AttestationObject(format: "packed", statement: .map(statement), authenticatorData: data)
    }

    /// Takes the bytes apart.
    ///
    /// - Throws: ``MalformedValue`` when they are no attestation object.
    package init(_ bytes: some Sequence<UInt8>) throws(MalformedValue) {
        let object = try CBORDecoder.value(in: bytes)
        guard case .map(let entries) = object, entries.count == 3, case .text(let format) = object[.text("fmt")],
            let statement = object[.text("attStmt")], case .bytes(let data) = object[.text("authData")],
            Self.canBeStatement(statement)
        else { throw MalformedValue("attestation object") }
        self.format = format
        self.statement = statement
        authenticatorData = try AuthenticatorData(data)
    }

    /// The object as relying parties get it.
    package var bytes: [UInt8] {
        CBORValue.map([
            .text("fmt"): .text(format), .text("attStmt"): statement,
            .text("authData"): .bytes(authenticatorData.bytes),
        ]).encoded
    }

    private init(format: String, statement: CBORValue, authenticatorData: AuthenticatorData) {
        self.format = format
        self.statement = statement
        self.authenticatorData = authenticatorData
    }

    /// A map; the format `compound` has an array of them (section 8.9).
    private static func canBeStatement(_ value: CBORValue) -> Bool {
        switch value {
        case .map, .array: true
        default: false
        }
    }
}
