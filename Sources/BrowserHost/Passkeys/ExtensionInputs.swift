import KeywaySystem
import AutoFillWire
import AutoFillProtocol
import FoundationEssentials

/// One or two inputs of `prf`, as the page gave them.
struct PRFInput: Decodable, Hashable, Sendable {
    let values: PRFValues

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(["first", "second"])
        values = PRFValues(
            first: try members.bytes("first", within: PasskeyBounds.prfInput),
            second: try members.bytesIfPresent("second", within: PasskeyBounds.prfInput))
    }
}

/// `extensions` of an assertion.
struct AssertionInputs: Decodable, Hashable, Sendable {
    enum LargeBlob: Hashable, Sendable {
        case read
        case write(Data)
    }

    let prf: PasskeyAssertionInput.PRF?
    let largeBlob: LargeBlob?

    init() {
        prf = nil
        largeBlob = nil
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(["prf", "largeBlob"])
        prf = try members.decodeIfPresent(PRF.self, forKey: "prf")?.input
        largeBlob = try members.decodeIfPresent(Blob.self, forKey: "largeBlob")?.blob
    }

    /// The same for the broker; what is to be stored travels in a sealed memory file.
    func broker() throws(HostFailure) -> PasskeyAssertionInput? {
        guard prf != nil || largeBlob != nil else { return nil }
        switch largeBlob {
        case nil: return PasskeyAssertionInput(largeBlob: nil, prf: prf)
        case .read: return PasskeyAssertionInput(largeBlob: .read, prf: prf)
        case .write(let bytes):
            do {
                let memory = try bytes.withUnsafeBytes { (buffer) throws(ProtocolError) in
                    try SealedMemory(copying: buffer)
                }
                return PasskeyAssertionInput(largeBlob: .write(Attachment(memory)), prf: prf)
            } catch {
                throw HostFailure(.invalid, "The blob cannot be handed on.")
            }
        }
    }

    private struct PRF: Decodable {
        let input: PasskeyAssertionInput.PRF

        init(from decoder: any Decoder) throws {
            let members = try decoder.members(["eval", "evalByCredential"])
            let single = try members.decodeIfPresent(PerCredential.self, forKey: "evalByCredential")
            input = PasskeyAssertionInput.PRF(
                values: try members.decodeIfPresent(PRFInput.self, forKey: "eval")?.values,
                byCredential: single?.values ?? [])
        }
    }

    /// An object whose members are called like credentials.
    private struct PerCredential: Decodable {
        let values: [PRFCredentialValues]

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: MemberName.self)
            guard members.allKeys.count <= PasskeyBounds.credentials else {
                throw HostFailure.parameters("`evalByCredential` names too many.")
            }
            values = try members.allKeys.map { name in
                PRFCredentialValues(
                    credentialID: try name.bytes(within: PasskeyBounds.credentialID),
                    values: try members.decode(PRFInput.self, forKey: name).values)
            }
        }
    }

    private struct Blob: Decodable {
        let blob: LargeBlob

        init(from decoder: any Decoder) throws {
            let members = try decoder.members(["read", "write"])
            switch (members.contains("read"), try members.bytesIfPresent("write", within: PasskeyBounds.blob)) {
            case (false, let bytes?): blob = .write(bytes)
            case (true, nil) where try members.decode(Bool.self, forKey: "read"): blob = .read
            default: throw HostFailure.parameters("`largeBlob` reads or writes.")
            }
        }
    }
}

/// `extensions` of a registration.
struct RegistrationInputs: Decodable, Hashable, Sendable {
    /// Whether the page wants to know what kind of passkey it got.
    let wantsProperties: Bool
    let prf: PasskeyRegistrationInput.PRF?
    let largeBlob: PasskeyRegistrationInput.LargeBlob?

    init() {
        wantsProperties = false
        prf = nil
        largeBlob = nil
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(["credProps", "prf", "largeBlob"])
        wantsProperties = members.contains("credProps")
        if wantsProperties, try !members.decode(Bool.self, forKey: "credProps") {
            throw HostFailure.parameters("`credProps` is asked for or not there.")
        }
        prf = try members.decodeIfPresent(PRF.self, forKey: "prf")?.input
        largeBlob = try members.decodeIfPresent(Blob.self, forKey: "largeBlob")?.support
    }

    /// The same for the broker.
    var broker: PasskeyRegistrationInput? {
        prf == nil && largeBlob == nil ? nil : PasskeyRegistrationInput(largeBlob: largeBlob, prf: prf)
    }

    private struct PRF: Decodable {
        let input: PasskeyRegistrationInput.PRF

        init(from decoder: any Decoder) throws {
            let members = try decoder.members(["eval"])
            input = .init(values: try members.decodeIfPresent(PRFInput.self, forKey: "eval")?.values)
        }
    }

    private struct Blob: Decodable {
        let support: PasskeyRegistrationInput.LargeBlob

        init(from decoder: any Decoder) throws {
            support = try decoder.members(["support"]).decode(
                PasskeyRegistrationInput.LargeBlob.self, forKey: "support")
        }
    }
}
