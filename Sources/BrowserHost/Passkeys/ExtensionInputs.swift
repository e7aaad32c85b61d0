import AutoFillWire
import KeywaySystem

import FoundationEssentials
import WebAuthnValues

/// One or two inputs of `prf`, as the page gave them.
private struct PRFInput: Decodable {
    let values: PRFValues

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(["first", "second"])
        values = PRFValues(
            first: try members.bytes("first", within: PasskeyBounds.prfInput),
            second: try members.bytesIfPresent("second", within: PasskeyBounds.prfInput))
    }
}

/// `extensions` of an assertion.
struct PageAssertionInputs: Decodable {
    let inputs: AssertionInputs<Data>

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(["prf", "largeBlob"])
        inputs = AssertionInputs(
            largeBlob: try members.decodeIfPresent(Blob.self, forKey: "largeBlob")?.blob,
            prf: try members.decodeIfPresent(PRF.self, forKey: "prf")?.input)
    }

    private struct PRF: Decodable {
        let input: PRFAssertionInput

        init(from decoder: any Decoder) throws {
            let members = try decoder.members(["eval", "evalByCredential"])
            let single = try members.decodeIfPresent(PerCredential.self, forKey: "evalByCredential")
            input = PRFAssertionInput(
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
        let blob: AssertionInputs<Data>.LargeBlob

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

extension AssertionInputs<Data> {
    /// The same for the broker, nil where nothing is asked; what is to be stored travels in a sealed memory file.
    func broker() throws(HostFailure) -> AssertionInputs<Attachment>? {
        guard !isEmpty else { return nil }
        do {
            return try map { blob in Attachment(try blob.withUnsafeBytes { try SealedMemory(copying: $0) }) }
        } catch {
            throw HostFailure(.invalid, "The blob cannot be handed on.")
        }
    }
}

/// `extensions` of a registration.
struct PageRegistrationInputs: Decodable {
    let inputs: RegistrationInputs

    init(from decoder: any Decoder) throws {
        let members = try decoder.members(["credProps", "prf", "largeBlob"])
        let wantsProperties = members.contains("credProps")
        if wantsProperties, try !members.decode(Bool.self, forKey: "credProps") {
            throw HostFailure.parameters("`credProps` is asked for or not there.")
        }
        inputs = RegistrationInputs(
            credProps: wantsProperties ? true : nil,
            largeBlob: try members.decodeIfPresent(Blob.self, forKey: "largeBlob")?.support,
            prf: try members.decodeIfPresent(PRF.self, forKey: "prf")?.input)
    }

    private struct PRF: Decodable {
        let input: PRFRegistrationInput

        init(from decoder: any Decoder) throws {
            let members = try decoder.members(["eval"])
            input = .init(values: try members.decodeIfPresent(PRFInput.self, forKey: "eval")?.values)
        }
    }

    private struct Blob: Decodable {
        let support: RegistrationInputs.LargeBlob

        init(from decoder: any Decoder) throws {
            support = try decoder.members(["support"]).decode(RegistrationInputs.LargeBlob.self, forKey: "support")
        }
    }
}
