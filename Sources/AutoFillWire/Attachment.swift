package import KeywaySystem
import Synchronization

/// A descriptor beside the frame: in JSON it is `{"descriptor": n}`, the n-th of the frame that carries it.
///
/// Only a ``Connection`` can encode or decode one; anywhere else it throws, so that no secret ends up in a file of JSON.
package struct Attachment: Sendable {
    /// What travels.
    package let descriptor: OwnedDescriptor

    /// Attaches any descriptor: a socket that is handed over, for example.
    package init(_ descriptor: OwnedDescriptor) {
        self.descriptor = descriptor
    }

    /// Attaches a secret.
    package init(_ memory: SealedMemory) {
        descriptor = memory.descriptor
    }

    /// The attached secret.
    ///
    /// - Throws: ``ProtocolError`` with the code `invalidParameters` when something else is attached.
    package func sealedMemory() throws(ProtocolError) -> SealedMemory {
        try SealedMemory(received: descriptor)
    }
}

extension Attachment: Hashable {
    /// The same descriptor; what it holds is not looked at.
    package static func == (left: Attachment, right: Attachment) -> Bool { left.descriptor === right.descriptor }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(descriptor)) }
}

extension CodingUserInfoKey {
    /// Where encoder and decoder find the descriptors of the frame.
    package static let attachments = CodingUserInfoKey(rawValue: "org.keyway.attachments")
}

/// The descriptors of one frame, while it is encoded or decoded.
package final class AttachmentList: Sendable {
    private let descriptors: Mutex<[OwnedDescriptor]>

    /// A list of these.
    package init(_ descriptors: [OwnedDescriptor] = []) {
        self.descriptors = Mutex(descriptors)
    }

    var all: [OwnedDescriptor] { descriptors.withLock { $0 } }

    func append(_ descriptor: OwnedDescriptor) -> Int {
        descriptors.withLock {
            $0.append(descriptor)
            return $0.count - 1
        }
    }

    /// Puts the descriptors of a frame in that was taken apart.
    func fill(_ received: [OwnedDescriptor]) {
        descriptors.withLock { $0 = received }
    }

    func descriptor(at index: Int) -> OwnedDescriptor? {
        descriptors.withLock { $0.indices.contains(index) ? $0[index] : nil }
    }
}

extension Attachment: Codable {
    private enum CodingKeys: String, CodingKey { case descriptor }

    package init(from decoder: any Decoder) throws {
        let index = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .descriptor)
        guard let key = CodingUserInfoKey.attachments, let list = decoder.userInfo[key] as? AttachmentList,
            let descriptor = list.descriptor(at: index)
        else {
            throw ProtocolError(.invalidParameters, "The frame carries no descriptor \(index).")
        }
        self.init(descriptor)
    }

    package func encode(to encoder: any Encoder) throws {
        guard let key = CodingUserInfoKey.attachments, let list = encoder.userInfo[key] as? AttachmentList else {
            throw ProtocolError(.internalError, "A descriptor can only be sent through a connection.")
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(list.append(descriptor), forKey: .descriptor)
    }
}
