import KeywaySystem

/// The words that `keyway` hands to the kit: its own parser has looked at them already.
struct KitCommandLine {
    /// What is to be done.
    enum Action: Sendable {
        case listRules(wantsJSON: Bool)
        case test(KitOptions, wantsJSON: Bool)
        case new(name: String, folder: String?, wantsJSON: Bool)
    }

    let action: Action

    /// Takes `test …` or `new …` apart.
    ///
    /// - Throws: ``ProtocolError`` with the code `invalidParameters`.
    init(_ words: [String]) throws(ProtocolError) {
        var rest = words[...]
        let command = rest.popFirst()
        var options = KitOptions(path: "")
        var folder: String?
        var names: [String] = []
        var (wantsJSON, wantsRules) = (false, false)
        while let word = rest.popFirst() {
            switch word {
            case "--json": wantsJSON = true
            case "--list-rules": wantsRules = true
            case "--rule": options.rules.append(try Self.value(word, &rest))
            case "--record": options.record = try Self.value(word, &rest)
            case "--user": options.user = try Self.value(word, &rest)
            case "--service": options.service = try Self.value(word, &rest)
            case "--type-from": options.secretFile = try Self.value(word, &rest)
            case "--home": options.home = try Self.value(word, &rest)
            case "--leaves": options.leaves.append(try Self.value(word, &rest))
            case "--directory": folder = try Self.value(word, &rest)
            case "--requests":
                guard let count = Int(try Self.value(word, &rest)), count > 0 else { throw Self.wrong(word) }
                options.requests = count
            case "--": names += rest.prefix(1); rest = []
            default: names.append(word)
            }
        }
        switch (command, names.first) {
        case ("test", _) where wantsRules: action = .listRules(wantsJSON: wantsJSON)
        case ("test", let path?):
            options.path = path
            action = .test(options, wantsJSON: wantsJSON)
        case ("new", let name?): action = .new(name: name, folder: folder, wantsJSON: wantsJSON)
        default:
            throw ProtocolError(
                .invalidParameters, "`keyway provider` runs this program; see `keyway provider --help`.")
        }
    }

    private static func value(_ option: String, _ rest: inout ArraySlice<String>) throws(ProtocolError) -> String {
        guard let value = rest.popFirst() else { throw wrong(option) }
        return value
    }

    private static func wrong(_ option: String) -> ProtocolError {
        ProtocolError(.invalidParameters, "The value of \(option) is missing or wrong.")
    }
}
