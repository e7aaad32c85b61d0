package import AutoFillWire

/// Commits changes to a git work tree that a bundle may change, whose repository it may only read.
package enum CommitChanges: RemoteMethod {
    package typealias Result = Nothing

    package struct Parameters: Codable, Hashable, Sendable {
        /// The most files of one commit.
        package static let maximumPaths = 4096
        /// The most bytes of all paths together: they become arguments of git's.
        package static let maximumPathBytes = 1 << 18
        /// The most bytes of a path, and of the message.
        package static let maximumBytes = 4096

        /// The folder that holds `.git`: one that the bundle declares to write in.
        package let repository: String
        /// The files that changed, were made or are gone, below that folder; names and no patterns.
        package let paths: [String]
        /// The message of the commit.
        package let message: String

        /// The commit of `paths` in `repository`.
        package init(repository: String, paths: [String], message: String) {
            self.repository = repository
            self.paths = paths
            self.message = message
        }
    }

    package static let name = "repository.commit"
    package static let callers: Set<Role> = [.providerExtension, .providerService, .providerApplication]
}
