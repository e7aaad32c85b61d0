import AutoFillProtocol

/// The git repository of a folder that a bundle declares to write in. Its processes may change the work tree, and only
/// read `.git`: the person's git would run, outside the sandbox, what they left there. So the system commits for them.
public enum KeywayRepository {
    /// Commits files: what changed, what is new and what is gone. Nothing happens where nothing did.
    ///
    /// No hook, filter or signature of the repository takes part.
    ///
    /// - Parameters:
    ///   - paths: the files, relative to `folder`; names and no patterns.
    ///   - folder: the work tree's folder, which holds `.git`.
    ///   - message: the message of the commit.
    /// - Throws: an error whose description says what is in the way.
    public static func commit(paths: [String], in folder: String, message: String) async throws {
        let parameters = CommitChanges.Parameters(repository: folder, paths: paths, message: message)
        _ = try await BrokerLink.process.connection().call(CommitChanges.self, parameters)
    }
}
