package import AutoFillWire

/// What the broker remembers, in its authenticated register, of the files of a provider: the newest version of each that
/// the provider's service has seen. An older copy that somebody puts back is noticed by it.
package enum NotedVersions {
    /// The most files that are remembered of one provider; the one that was noted longest ago is forgotten for another.
    package static let maximumFiles = 16
    /// The longest name of a file, in bytes of UTF-8.
    package static let maximumName = 64
    /// The highest version: what every reader of JSON can tell apart.
    package static let highest: UInt64 = 1 << 53
}

/// The newest version of one of the provider's files that the broker was told of.
package enum ReadVersion: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The provider's own name of the file.
        package let file: String

        /// Asks about `file`.
        package init(file: String) {
            self.file = file
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// The newest version; nil where none was noted.
        package let version: UInt64?
        /// Whether there was a register that is lost or not believed, so that nothing is known; the person is told.
        package let isLost: Bool

        /// What is remembered.
        package init(version: UInt64?, isLost: Bool = false) {
            self.version = version
            self.isLost = isLost
        }
    }

    package static let name = "versions.read"
    package static let callers: Set<Role> = [.providerService]
}

/// Remembers the newest version of one of the provider's files. It never goes back.
package enum NoteVersion: RemoteMethod {
    package typealias Result = Nothing

    package struct Parameters: Codable, Hashable, Sendable {
        /// The provider's own name of the file.
        package let file: String
        /// The version that it has now.
        package let version: UInt64

        /// `file` has `version` now.
        package init(file: String, version: UInt64) {
            self.file = file
            self.version = version
        }
    }

    package static let name = "versions.note"
    package static let callers: Set<Role> = [.providerService]
}
