import KeywaySystem
import FoundationEssentials

/// The part of a JSON-RPC 2.0 message that says what it is; `params` and `result` are decoded later, by type.
struct EnvelopeHead: Decodable {
    let jsonrpc: String
    let id: Int?
    let method: String?
    /// How many of the descriptors that arrived belong to this frame: ours, beside the members of JSON-RPC.
    let descriptors: Int?
    let error: WireError?

    /// Reads the head of a frame.
    ///
    /// - Throws: ``ProtocolError`` with the code `malformed`.
    init(frame: [UInt8], limits: WireLimits) throws(ProtocolError) {
        guard JSONNesting.isWithin(limits.nesting, frame) else {
            throw ProtocolError(.malformed, "The message is nested more than \(limits.nesting) deep.")
        }
        do {
            self = try JSONDecoder().decode(EnvelopeHead.self, from: Data(frame))
        } catch {
            throw ProtocolError(.malformed, "The frame is no JSON-RPC 2.0 message.")
        }
        guard jsonrpc == "2.0" else {
            throw ProtocolError(.malformed, "The frame is no JSON-RPC 2.0 message: `jsonrpc` is not \"2.0\".")
        }
    }
}

/// A request or, without an id, a notification.
struct OutgoingRequest<Parameters: Encodable>: Encodable {
    let id: Int?
    let method: String
    let params: Parameters
    let attachments: AttachmentList

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: EnvelopeKey.self)
        try container.encode("2.0", forKey: .jsonrpc)
        try container.encodeIfPresent(id, forKey: .id)
        try container.encode(method, forKey: .method)
        try container.encode(params, forKey: .params)
        try container.encodeDescriptorCount(of: attachments)
    }
}

/// An answer with a result.
struct OutgoingResult: Encodable {
    let id: Int
    let result: any Encodable
    let attachments: AttachmentList

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: EnvelopeKey.self)
        try container.encode("2.0", forKey: .jsonrpc)
        try container.encode(id, forKey: .id)
        try container.encode(result, forKey: .result)
        try container.encodeDescriptorCount(of: attachments)
    }
}

/// An answer with an error; without an id where the request's own could not be read.
struct OutgoingError: Encodable {
    let id: Int?
    let error: WireError

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: EnvelopeKey.self)
        try container.encode("2.0", forKey: .jsonrpc)
        try container.encode(id, forKey: .id)
        try container.encode(error, forKey: .error)
    }
}

enum EnvelopeKey: String, CodingKey {
    case jsonrpc, id, method, params, result, error, descriptors
}

extension KeyedEncodingContainer where Key == EnvelopeKey {
    fileprivate mutating func encodeDescriptorCount(of list: AttachmentList) throws {
        let count = list.all.count
        if count > 0 { try encode(count, forKey: .descriptors) }
    }
}

/// `params` of a frame whose method is known.
struct IncomingParameters<Parameters: Decodable>: Decodable {
    let params: Parameters
}

/// `result` of a frame whose request is known.
struct IncomingResult<Result: Decodable>: Decodable {
    let result: Result
}

/// One encoded message and the descriptors beside it.
struct Packet: Sendable {
    let bytes: [UInt8]
    let descriptors: [OwnedDescriptor]
}

/// JSON with descriptors beside it.
enum WireCoding {
    static func encode(_ message: some Encodable, _ attachments: AttachmentList = AttachmentList()) throws -> Packet {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes]
        if let key = CodingUserInfoKey.attachments { encoder.userInfo[key] = attachments }
        let json = try encoder.encode(message)
        return Packet(bytes: FrameWriter.frame(json), descriptors: attachments.all)
    }

    static func decode<Message: Decodable>(
        _ type: Message.Type, from frame: [UInt8], _ attachments: AttachmentList
    ) throws(ProtocolError) -> Message {
        let decoder = JSONDecoder()
        if let key = CodingUserInfoKey.attachments { decoder.userInfo[key] = attachments }
        do {
            return try decoder.decode(type, from: Data(frame))
        } catch let error as ProtocolError {
            throw error
        } catch let error as DecodingError {
            throw ProtocolError(.invalidParameters, "A member is missing or mistyped: \(error.place).")
        } catch {
            throw ProtocolError(.invalidParameters, "The parameters cannot be read.")
        }
    }
}

extension DecodingError {
    /// Where in the message it failed; never what stood there.
    fileprivate var place: String {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.codingPath.map(\.stringValue).joined(separator: ".")
        case .keyNotFound(let key, let context):
            (context.codingPath.map(\.stringValue) + [key.stringValue]).joined(separator: ".")
        @unknown default: "somewhere"
        }
    }
}
