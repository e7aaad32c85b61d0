import AutoFillProtocol

extension CredentialIdentity {
    /// An identity of `record`, as the broker sends it.
    static func example(record: String? = "7", user: String = "ada", rank: Int = 0) -> CredentialIdentity {
        CredentialIdentity(
            kind: .password, service: ServiceIdentifier("example.com", kind: .domain), user: user,
            recordIdentifier: record, rank: rank)
    }
}

extension PerformRequest.Result {
    /// User and password, when that is the result.
    var credential: (user: String, password: String)? {
        get throws {
            guard case .password(let user, let password) = self else { return nil }
            let text = try password.sealedMemory().withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
            return (user, text)
        }
    }

    /// Domain, code and reason, when it was cancelled.
    var cancellation: (domain: String, code: Int, reason: String?)? {
        guard case .cancelled(let domain, let code, let reason) = self else { return nil }
        return (domain, code, reason)
    }
}
