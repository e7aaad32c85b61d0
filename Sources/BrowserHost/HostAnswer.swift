import KeywayCrypto

/// What answers a request, as JSON: it is sent once the request counts as answered.
enum HostAnswer {
    case plain([UInt8])
    /// Holds a secret, and is wiped once it is sent.
    case secret(SecretBuffer)
}
