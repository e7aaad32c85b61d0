import CAdwaita

/// An interface file (GtkBuilder's XML), and the objects that it describes.
@MainActor
package final class InterfaceFile {
    private let builder: OpaquePointer

    /// Makes everything that `xml` describes.
    ///
    /// - Throws: ``DesktopError`` with the code `interfaceFile`.
    package init(_ xml: [UInt8]) throws(DesktopError) {
        guard let builder = gtk_builder_new() else {
            throw DesktopError(.interfaceFile, "no memory")
        }
        self.builder = builder
        var error: UnsafeMutablePointer<GError>?
        let isRead = xml.withUnsafeBufferPointer { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                gtk_builder_add_from_string(builder, $0.baseAddress, gssize($0.count), &error)
            }
        }
        guard isRead != 0 else {
            let reason = error.map { String(cString: $0.pointee.message) } ?? "unknown"
            g_clear_error(&error)
            throw DesktopError(.interfaceFile, reason)
        }
    }

    isolated deinit {
        g_object_unref(UnsafeMutableRawPointer(builder))
    }

    /// The object that the file calls `name`.
    ///
    /// - Throws: ``DesktopError`` with the code `interfaceFile` when there is none, or one of another type.
    package func object<Kind: Object>(_ name: String, as kind: Kind.Type = Kind.self) throws(DesktopError) -> Kind {
        let found = gtk_builder_get_object(builder, name).map { UnsafeMutableRawPointer($0) }
        guard let object = kind.init(checking: found) else {
            throw DesktopError(.interfaceFile, "The interface file has no \(kind) called \(name).")
        }
        return object
    }
}
