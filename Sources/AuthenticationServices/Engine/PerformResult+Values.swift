import AutoFillProtocol
import AutoFillWire
import CryptoKit
import Foundation
import KeywaySystem
import WebAuthnValues

/// What a provider answers, as the broker receives it: every secret goes from the value into a sealed memory file and
/// nowhere else; what came in one goes on in it. Where no memory file is to be had, the request fails.
extension PerformRequest.Result {
    /// A password.
    init(_ credential: ASPasswordCredential) {
        self = Self.made {
            let password = try credential.sealed.map { Attachment($0) } ?? Attachment(text: credential.password)
            return .password(user: credential.user, password: password)
        }
    }

    /// A one-time code.
    init(_ credential: ASOneTimeCodeCredential) {
        self = Self.made {
            let code = try credential.sealed.map { Attachment($0) } ?? Attachment(text: credential.code)
            return .oneTimeCode(code, validUntil: credential.validUntil?.timeIntervalSince1970)
        }
    }

    /// Text for a field.
    init(text: String) {
        self = Self.made { .text(try Attachment(text: text)) }
    }

    /// Text for a field, in the memory file that it came in.
    init(sealedText: SealedMemory) { self = .text(Attachment(sealedText)) }

    /// Passwords to choose from, the preferred first.
    init(_ passwords: [ASGeneratedPassword]) {
        self = Self.made {
            .generated(
                try passwords.map {
                    let value = try $0.sealed.map { Attachment($0) } ?? Attachment(text: $0.value)
                    return ProposedPassword(kind: $0.kind.rawValue, value: value)
                })
        }
    }

    /// A signature.
    init(_ credential: ASPasskeyAssertionCredential) {
        self = Self.made {
            // What a service of the box wrote goes on as it came.
            if credential.wire.extensions != nil { return .passkeyAssertion(credential.wire) }
            return .passkeyAssertion(
                PasskeyAssertionCredential(
                    userHandle: credential.userHandle, relyingParty: credential.relyingParty,
                    signature: credential.signature, clientDataHash: credential.clientDataHash,
                    authenticatorData: credential.authenticatorData, credentialID: credential.credentialID,
                    extensions: try credential.extensionOutput.map(AssertionOutputs.init)))
        }
    }

    /// A new passkey.
    init(_ credential: ASPasskeyRegistrationCredential) {
        self = Self.made {
            if credential.wire.extensions != nil { return .passkeyRegistration(credential.wire) }
            return .passkeyRegistration(
                PasskeyRegistrationCredential(
                    relyingParty: credential.relyingParty, clientDataHash: credential.clientDataHash,
                    credentialID: credential.credentialID, attestationObject: credential.attestationObject,
                    extensions: try credential.extensionOutput.map(RegistrationOutputs.init)))
        }
    }

    /// An error, by domain and code, with the text that the provider wrote for the person.
    init(_ error: any Error) {
        let error = error as NSError
        let reason = error.userInfo[ASExtensionLocalizedFailureReasonErrorKey] as? String
        self = .cancelled(domain: error.domain, code: error.code, reason: reason)
    }

    private static func made(_ result: () throws -> Self) -> Self {
        do {
            return try result()
        } catch {
            Log.line("an answer could not be handed over: \(error)")
            return Self(ASExtensionError(.failed))
        }
    }
}

extension AssertionOutputs<Attachment> {
    fileprivate init(_ output: ASPasskeyAssertionCredentialExtensionOutput) throws {
        let largeBlob: LargeBlob? =
            switch output.largeBlob?.result {
            case .read(let data): .read(try data.map { try Attachment(bytes: $0) })
            case .write(let success): .wrote(success)
            case nil: nil
            }
        self.init(largeBlob: largeBlob, prf: try output.prf.map { try PRFOutputs($0.first, $0.second) })
    }
}

extension RegistrationOutputs<Attachment> {
    fileprivate init(_ output: ASPasskeyRegistrationCredentialExtensionOutput) throws {
        let prf = try output.prf.map { prf in
            PRF(isSupported: prf.isSupported, values: try prf.first.map { try PRFOutputs($0, prf.second) })
        }
        self.init(isLargeBlobSupported: output.largeBlob?.isSupported, prf: prf)
    }
}

extension PRFOutputs<Attachment> {
    fileprivate init(_ first: SymmetricKey, _ second: SymmetricKey?) throws {
        self.init(first: try Attachment(bytes: first), second: try second.map { try Attachment(bytes: $0) })
    }
}

extension Attachment {
    /// The bytes of a string: from where it holds them, without a copy in between.
    fileprivate init(text: String) throws {
        var text = text
        self.init(try text.withUTF8 { try SealedMemory(copying: UnsafeRawBufferPointer($0)) })
    }

    fileprivate init(bytes: some ContiguousBytes) throws {
        self.init(try bytes.withUnsafeBytes { try SealedMemory(copying: $0) })
    }
}
