import AutoFillProtocol
package import AutoFillWire
import KeywaySystem

/// What the service of a provider may have remembered of its own files, and of no other's.
package struct VersionMethods: Sendable {
    private let stores: IdentityStores

    /// Answers from the register of the settings, which open with `stores`.
    package init(stores: IdentityStores) {
        self.stores = stores
    }

    /// Answers the service of `provider`.
    package func add(to table: inout MethodTable, for provider: String) {
        table.on(ReadVersion.self) { parameters, _ in
            let file = try Self.name(parameters.file)
            await stores.openSettings()
            return try stores.settings.version(of: file, provider)
        }
        table.on(NoteVersion.self) { parameters, _ in
            let file = try Self.name(parameters.file)
            guard parameters.version <= NotedVersions.highest else {
                throw ProtocolError(.invalidParameters, "A version is \(NotedVersions.highest) at most.")
            }
            try stores.settings.note(parameters.version, of: file, provider)
            return Nothing()
        }
    }

    private static func name(_ file: String) throws(ProtocolError) -> String {
        guard !file.isEmpty, file.utf8.count <= NotedVersions.maximumName else {
            throw ProtocolError(
                .invalidParameters, "The name of a file has 1 to \(NotedVersions.maximumName) bytes.")
        }
        return file
    }
}
