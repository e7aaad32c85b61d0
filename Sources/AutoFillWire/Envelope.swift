import FoundationEssentials
import KeywaySystem

/// A JSON-RPC 2.0 message, parsed once: what it is is known, `params` and `result` are read when their types are.
struct IncomingFrame: Decodable {
    let jsonrpc: String
    let id: Int?
    let method: String?
    /// How many of the descriptors that arrived belong to this frame: ours, beside the members of JSON-RPC.
    let descriptors: Int?
    let error: WireError?
    let params: FrameMember
    let result: FrameMember

    /// Reads the head of a frame; its members find descriptors in `attachments`, which are put there until they are read.
    ///
    /// - Throws: ``ProtocolError`` with the code `malformed`.
    static func read(
        _ frame: [UInt8], limits: WireLimits, _ attachments: AttachmentList
    ) throws(ProtocolError) -> IncomingFrame {
        guard JSONNesting.isWithin(limits.nesting, frame) else {
            throw ProtocolError(.malformed, "The message is nested more than \(limits.nesting) deep.")
        }
        let message: IncomingFrame
        do {
            let decoder = JSONDecoder()
            if let key = CodingUserInfoKey.attachments { decoder.userInfo[key] = attachments }
            message = try decoder.decode(IncomingFrame.self, from: Data(frame))
        } catch {
            throw ProtocolError(.malformed, "The frame is no JSON-RPC 2.0 message.")
        }
        guard message.jsonrpc == "2.0" else {
            throw ProtocolError(.malformed, "The frame is no JSON-RPC 2.0 message: `jsonrpc` is not \"2.0\".")
        }
        return message
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: EnvelopeKey.self)
        jsonrpc = try members.decode(String.self, forKey: .jsonrpc)
        id = try members.decodeIfPresent(Int.self, forKey: .id)
        method = try members.decodeIfPresent(String.self, forKey: .method)
        descriptors = try members.decodeIfPresent(Int.self, forKey: .descriptors)
        error = try members.decodeIfPresent(WireError.self, forKey: .error)
        params = try FrameMember(.params, of: members)
        result = try FrameMember(.result, of: members)
    }
}

/// A member of a frame whose type is known later than the frame came.
// SAFETY: the decoder stands on this member alone, with the parsed JSON, which never changes; whoever answers the frame is
// the one that reads it, after whoever took the frame apart is done.
struct FrameMember: @unchecked Sendable {
    private let key: EnvelopeKey
    private let decoder: (any Decoder)?

    fileprivate init(_ key: EnvelopeKey, of members: KeyedDecodingContainer<EnvelopeKey>) throws {
        self.key = key
        decoder = members.contains(key) ? try members.superDecoder(forKey: key) : nil
    }

    /// Reads the member.
    ///
    /// - Throws: ``ProtocolError`` with the code `invalidParameters`, which says where it failed; what a type itself
    ///   throws.
    func decode<Value: Decodable>(_ type: Value.Type) throws(ProtocolError) -> Value {
        guard let decoder else { throw Self.mistyped(key.stringValue) }
        do {
            return try decoder.singleValueContainer().decode(type)
        } catch let error as ProtocolError {
            throw error
        } catch let error as DecodingError {
            throw Self.mistyped(error.place)
        } catch {
            throw ProtocolError(.invalidParameters, "The parameters cannot be read.")
        }
    }

    private static func mistyped(_ place: String) -> ProtocolError {
        ProtocolError(.invalidParameters, "A member is missing or mistyped: \(place).")
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
