import SecretDocuments

extension Unicode {
    /// Whether bytes are UTF-8, without a NUL in it, which would end elsewhere for some programs.
    static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        !bytes.contains(0) && (try? checkedText(bytes)) != nil
    }
}
