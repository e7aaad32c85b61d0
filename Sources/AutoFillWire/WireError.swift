import KeywaySystem

extension ProtocolError.Code {
    /// The number of JSON-RPC 2.0 (section 5.1) for this kind. Those of our own are grouped by area, twenty to each, and
    /// never change: a new kind gets a new number.
    package var number: Int {
        switch self {
        case .malformed: -32600
        case .unknownMethod: -32601
        case .invalidParameters: -32602
        case .internalError: -32603
        // The connection.
        case .frameTooLarge: -32001
        case .helloExpected: -32002
        case .versionMismatch: -32003
        case .tooManyRequests: -32004
        case .connectionClosed: -32005
        case .cancelled: -32006
        case .timedOut: -32007
        case .busy: -32008
        case .system: -32009
        case .brokerNotRunning: -32010
        // Who may ask.
        case .notAllowed: -32021
        case .refused: -32022
        case .notApproved: -32023
        case .rateLimited: -32024
        case .notVerified: -32025
        case .interactionRequired: -32026
        case .forbidden: -32027
        // Providers.
        case .noProvider: -32041
        case .providerFailed: -32042
        case .disabled: -32043
        case .elsewhere: -32044
        // What is kept.
        case .notFound: -32061
        case .locked: -32062
        case .wrongPassword: -32063
        case .exists: -32064
        case .damaged: -32065
        case .ambiguous: -32066
        }
    }
}

/// An error object of JSON-RPC 2.0, with our kind and the provider as `data`.
struct WireError: Codable {
    struct Detail: Codable {
        let kind: String
        let provider: String?
    }

    let code: Int
    let message: String
    let data: Detail?

    init(_ error: ProtocolError) {
        code = error.code.number
        message = error.message
        data = Detail(kind: error.code.rawValue, provider: error.provider)
    }

    /// The error as this side knows it; a kind from a newer peer becomes `internalError` and keeps its message.
    var protocolError: ProtocolError {
        ProtocolError(data.flatMap { .init(rawValue: $0.kind) } ?? .internalError, message, provider: data?.provider)
    }
}
