package import Importing

/// What the reader is told beside the file: nothing secret, since arguments can be read by every program.
package struct ReaderArguments: Sendable, Equatable {
    /// What the columns of any CSV file hold, `--column ROLE=NAME` as often as needed; nil where no format is told.
    package private(set) var columns: ColumnMapping?
    /// How many bytes of what is on standard input are the key file, the last ones: `--key-file BYTES`.
    package private(set) var keyFileBytes = 0
    /// Whether there is a password, which may be empty: `--password`. An empty one is not the same as none.
    package private(set) var hasPassword = false
    /// The most memory that deriving a key may take, in bytes: `--derivation BYTES`.
    package private(set) var derivationMemory = 0

    /// Reads the arguments.
    ///
    /// - Returns: nil for anything else, such as an unknown role, and a column that stands there twice. A name may have
    ///   equal signs in it.
    package init?(_ arguments: some Sequence<String>) {
        var roles: [String: ColumnMapping.Role] = [:]
        var rest = Array(arguments)[...]
        while let option = rest.popFirst() {
            if option == "--password" {
                hasPassword = true
                continue
            }
            guard let value = rest.popFirst() else { return nil }
            switch option {
            case "--column":
                guard let equals = value.firstIndex(of: "="),
                    let role = ColumnMapping.Role(rawValue: String(value[..<equals]))
                else { return nil }
                let name = String(value[value.index(after: equals)...])
                guard !name.isEmpty, roles[name] == nil else { return nil }
                roles[name] = role
            case "--key-file":
                guard let count = Int(value), (1...ImportReaderCommand.longestKeyFile).contains(count) else {
                    return nil
                }
                keyFileBytes = count
            case "--derivation":
                guard let count = Int(value), (0...ImportSource.mostDerivationMemory).contains(count) else {
                    return nil
                }
                derivationMemory = count
            default: return nil
            }
        }
        columns = roles.isEmpty ? nil : ColumnMapping(roles)
    }
}
