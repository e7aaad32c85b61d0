@testable import KeywaySystem

/// A secret of `text`.
func sealed(_ text: String) throws -> SealedMemory {
    var text = text
    return try text.withUTF8 { try SealedMemory(copying: UnsafeRawBufferPointer($0)) }
}

/// The text of a secret.
func opened(_ memory: SealedMemory) throws -> String {
    try memory.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
}
