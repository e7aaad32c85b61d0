import AutoFillWire
package import KeywaySystem

/// What the person did with an interface.
public enum InterfaceEvent: Codable, Sendable {
    /// A row of the list, by its id.
    case chose(row: String)
    /// The form, with every field's value by the field's id.
    case submitted([String: InterfaceValue])
    /// What stands in the search field now.
    case searched(String)
    /// A button of the message, by its id.
    case activated(action: String)
    /// The person backed out.
    case cancelled
}

/// What a field of a form held.
public enum InterfaceValue: Codable, Sendable {
    /// Of a text field.
    case text(String)
    /// Of a secure field.
    case secret(InterfaceSecret)
}

/// What a secure field held: sealed bytes that are lent, never kept, and shown by nothing.
public struct InterfaceSecret: Sendable {
    let memory: SealedMemory

    /// A secret that is sealed already.
    package init(_ memory: SealedMemory) {
        self.memory = memory
    }

    /// The memory file, to be passed on unread.
    package var sealedMemory: SealedMemory { memory }

    /// How many bytes of UTF-8 it has.
    public var count: Int { memory.count }

    /// Lends the bytes (UTF-8, no zero at the end) to `body` and wipes the copy when it returns.
    ///
    /// - Throws: what `body` throws, or an error of the system when the memory cannot be read.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
        try memory.withUnsafeBytes(body)
    }
}

extension InterfaceSecret: Codable {
    /// Takes the secret that the frame carries.
    public init(from decoder: any Decoder) throws {
        memory = try Attachment(from: decoder).sealedMemory()
    }

    /// Puts the secret beside the frame.
    public func encode(to encoder: any Encoder) throws {
        try Attachment(memory).encode(to: encoder)
    }
}

extension InterfaceSecret: CustomStringConvertible, CustomReflectable {
    /// The name of the type, and nothing of the secret.
    public var description: String { "InterfaceSecret" }
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
