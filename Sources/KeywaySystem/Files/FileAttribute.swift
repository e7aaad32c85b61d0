import CSys

/// Extended attributes of files (xattr(7)).
package enum FileAttribute {
    private static let limit = 256

    /// The attribute of what lies at `path`; nil where it has none, or one that is longer than anybody needs.
    package static func value(of path: String, _ name: String) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: limit)
        let count = csys_attribute(path, name, &bytes, bytes.count)
        return count < 0 ? nil : Array(bytes[..<count])
    }
}
