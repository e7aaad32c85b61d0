package import Importing

/// The mapping of a table's columns on a command line: `--column ROLE=NAME`, as often as needed.
package enum ColumnArguments {
    /// What was given; a mapping without roles where nothing was.
    ///
    /// - Returns: nil for anything else, such as an unknown role, and a column or role that stands there twice. A name may
    ///   have equal signs in it.
    package static func mapping(_ arguments: some Sequence<String>) -> ColumnMapping?? {
        var roles: [String: ColumnMapping.Role] = [:]
        var rest = Array(arguments)[...]
        while let option = rest.popFirst() {
            guard option == "--column", let value = rest.popFirst(), let equals = value.firstIndex(of: "="),
                let role = ColumnMapping.Role(rawValue: String(value[..<equals]))
            else { return nil }
            let name = String(value[value.index(after: equals)...])
            guard !name.isEmpty, roles[name] == nil else { return nil }
            roles[name] = role
        }
        return .some(roles.isEmpty ? nil : ColumnMapping(roles))
    }
}
