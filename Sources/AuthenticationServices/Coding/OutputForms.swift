import CryptoKit
import Foundation

/// How what came of the extensions stands in an archive. Keys are readable there, as the passwords of other credentials
/// are: what an archive is written to must be protected.
struct AssertionOutputForm: Codable {
    enum LargeBlob: Codable { case read(Data?), wrote(Bool) }

    let largeBlob: LargeBlob?
    let prf: KeysForm?
}

struct RegistrationOutputForm: Codable {
    struct PRF: Codable {
        let isSupported: Bool
        let keys: KeysForm?
    }

    let isLargeBlobSupported: Bool?
    let prf: PRF?
}

struct KeysForm: Codable {
    let first: Data
    let second: Data?

    init(_ first: SymmetricKey, _ second: SymmetricKey?) {
        self.first = first.withUnsafeBytes { Data($0) }
        self.second = second?.withUnsafeBytes { Data($0) }
    }

    var keys: (first: SymmetricKey, second: SymmetricKey?) {
        (SymmetricKey(data: first), second.map { SymmetricKey(data: $0) })
    }
}

extension AssertionOutputForm {
    init(_ output: ASPasskeyAssertionCredentialExtensionOutput) {
        largeBlob = output.largeBlob.map {
            switch $0.result {
            case .read(let data): .read(data)
            case .write(let success): .wrote(success)
            }
        }
        prf = output.prf.map { KeysForm($0.first, $0.second) }
    }

    var output: ASPasskeyAssertionCredentialExtensionOutput {
        .init(
            largeBlob: largeBlob.map {
                switch $0 {
                case .read(let data): .read(data: data)
                case .wrote(let success): .write(success: success)
                }
            },
            prf: prf.map { .init(first: $0.keys.first, second: $0.keys.second) })
    }
}

extension RegistrationOutputForm {
    init(_ output: ASPasskeyRegistrationCredentialExtensionOutput) {
        isLargeBlobSupported = output.largeBlob?.isSupported
        prf = output.prf.map { prf in
            PRF(isSupported: prf.isSupported, keys: prf.first.map { KeysForm($0, prf.second) })
        }
    }

    var output: ASPasskeyRegistrationCredentialExtensionOutput {
        .init(
            largeBlob: isLargeBlobSupported.map { $0 ? .supported : .unsupported },
            prf: prf.map { prf in
                if let keys = prf.keys?.keys { return .init(first: keys.first, second: keys.second) }
                return prf.isSupported ? .supported : .unsupported
            })
    }
}
