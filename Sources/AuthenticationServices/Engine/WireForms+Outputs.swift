import AutoFillWire
import CryptoKit
import Foundation
import WebAuthnValues

/// Outputs of extensions as values of the API: what is attached is read here, keys from one locked memory into another.
extension ASPasskeyAssertionCredentialExtensionOutput {
    /// - Throws: ``ProtocolError`` where what is attached cannot be read.
    init(_ outputs: AssertionOutputs<Attachment>) throws {
        let largeBlob: ASAuthorizationPublicKeyCredentialLargeBlobAssertionOutput? =
            switch outputs.largeBlob {
            case .read(let blob): .read(data: try blob?.sealedMemory().withUnsafeBytes { Data($0) })
            case .wrote(let success): .write(success: success)
            case nil: nil
            }
        let keys = try outputs.prf?.map { try SymmetricKey($0) }
        self.init(largeBlob: largeBlob, prf: keys.map { .init(first: $0.first, second: $0.second) })
    }

    /// The same where nobody can be told of a failure: what cannot be read is not there.
    static func reading(_ outputs: AssertionOutputs<Attachment>) -> Self {
        do {
            return try Self(outputs)
        } catch {
            Log.line("what a passkey answers cannot be read: \(error)")
            return Self(largeBlob: nil, prf: nil)
        }
    }
}

extension ASPasskeyRegistrationCredentialExtensionOutput {
    /// - Throws: ``ProtocolError`` where what is attached cannot be read.
    init(_ outputs: RegistrationOutputs<Attachment>) throws {
        let prf = try outputs.prf.map { prf -> ASAuthorizationPublicKeyCredentialPRFRegistrationOutput in
            guard prf.isSupported else { return .unsupported }
            guard let keys = try prf.values?.map({ try SymmetricKey($0) }) else { return .supported }
            return .init(first: keys.first, second: keys.second)
        }
        self.init(largeBlob: outputs.isLargeBlobSupported.map { $0 ? .supported : .unsupported }, prf: prf)
    }

    /// The same where nobody can be told of a failure: what cannot be read is not there.
    static func reading(_ outputs: RegistrationOutputs<Attachment>) -> Self {
        do {
            return try Self(outputs)
        } catch {
            Log.line("what a passkey answers cannot be read: \(error)")
            return Self(largeBlob: nil, prf: nil)
        }
    }
}

extension SymmetricKey {
    fileprivate init(_ attachment: Attachment) throws {
        self = try attachment.sealedMemory().withUnsafeBytes { SymmetricKey(data: $0) }
    }
}
