package import AutoFillProtocol
package import KeywaySystem

/// What the administrator of a computer allows at most: nobody who uses it can loosen that (`keyway(5)`).
///
/// It only forbids. Of several files the strictest counts, key by key; and of a table in which something cannot be read,
/// the strictest that can be said.
package struct AdministratorPolicy: Sendable, Equatable {
    /// The keys there are, as `keyway(5)` names them.
    package enum Key: String, CaseIterable, Sendable {
        case providers = "providers.allow"
        case rule = "verification.rule"
        case grace = "verification.grace"
        case idleLock = "vault.idle-lock"
        case history = "history.keep"
        case browsers = "browsers.allow"

        /// The table that it stands in.
        var table: Substring { rawValue.prefix { $0 != "." } }
    }

    /// The shortest idle time that can be set, which is also the strictest, in seconds.
    package static let shortestIdleLock = 60

    /// The providers that may be turned on; nil for all.
    package private(set) var providers: Set<String>?
    /// When the person is verified at least.
    package private(set) var rule = VerificationSettings.Rule.never
    /// How many seconds a verification counts at most; nil for as long as the person likes.
    package private(set) var grace: Int?
    /// After how many seconds without use a vault locks at the latest; nil for when the person likes.
    package private(set) var idleLock: Int?
    /// Whether a history may be kept.
    package private(set) var keepsHistory = true
    /// The programs of browsers that may ask; nil for all.
    package private(set) var browsers: Set<String>?
    /// The files that say so, by key.
    package private(set) var files: [Key: Set<String>] = [:]
    /// What is wrong with the files.
    package private(set) var faults: [PolicyState.Fault] = []

    /// The policy of a computer whose administrator said nothing: everything is allowed.
    package init() {}

    // MARK: - Making it stricter

    /// Takes in what a file says.
    mutating func add(_ text: PolicyText, from file: String) {
        for entry in text.entries {
            do throws(PolicyText.Fault) {
                try add(entry, from: file)
            } catch {
                add(error, from: file)
            }
        }
        for fault in text.faults { add(fault, from: file) }
    }

    /// A file that nobody but the system's administrator can have written, and that cannot be read.
    mutating func add(unreadable file: String, _ reason: String) {
        faults.append(PolicyState.Fault(file: file, line: nil, reason: reason, isIgnored: false))
        for key in Key.allCases { tighten(key, nil, file) }
    }

    /// A file that somebody else can have written: it says nothing.
    mutating func add(disbelieved file: String, _ reason: String) {
        faults.append(PolicyState.Fault(file: file, line: nil, reason: reason, isIgnored: true))
    }

    private mutating func add(_ fault: PolicyText.Fault, from file: String) {
        faults.append(PolicyState.Fault(file: file, line: fault.line, reason: fault.reason, isIgnored: false))
        let ofTable = Key.allCases.filter { $0.table == fault.table ?? "" }
        // Nobody knows what a line was to forbid that stands in no table that there is.
        for key in ofTable.isEmpty ? Key.allCases : ofTable { tighten(key, nil, file) }
    }

    private mutating func add(_ entry: PolicyText.Entry, from file: String) throws(PolicyText.Fault) {
        func fault(_ reason: String) -> PolicyText.Fault {
            PolicyText.Fault(line: entry.line, table: entry.table, reason: reason)
        }
        guard let key = Key(rawValue: "\(entry.table).\(entry.key)") else {
            throw fault("there is no \(entry.key) in [\(entry.table)]")
        }
        if let problem = problem(of: entry.value, for: key) { throw fault("\(entry.key) must be \(problem)") }
        tighten(key, entry.value, file)
    }

    /// What the value of a key must be, where it is not.
    private func problem(of value: PolicyText.Value, for key: Key) -> String? {
        switch (key, value) {
        case (.providers, .strings(let names)) where names.allSatisfy({ !$0.isEmpty }): nil
        case (.providers, _): "a list of identifiers in quotes"
        case (.rule, .string(let word)) where Self.rules[word] != nil: nil
        case (.rule, _): "\"never\", \"when-set-up\" or \"always\""
        case (.grace, .integer(0...3600)): nil
        case (.grace, _): "a number of seconds from 0 to 3600"
        case (.idleLock, .integer(Self.shortestIdleLock...86_400)): nil
        case (.idleLock, _): "a number of seconds from \(Self.shortestIdleLock) to 86400"
        case (.history, .boolean): nil
        case (.history, _): "true or false"
        case (.browsers, .strings(let paths)) where paths.allSatisfy({ $0.hasPrefix("/") }): nil
        case (.browsers, _): "a list of absolute paths in quotes"
        }
    }

    /// Makes one key as strict as this; as strict as can be where nothing is said.
    private mutating func tighten(_ key: Key, _ value: PolicyText.Value?, _ file: String) {
        files[key, default: []].insert(file)
        switch (key, value) {
        case (.providers, .strings(let names)): providers = providers?.intersection(names) ?? Set(names)
        case (.providers, _): providers = []
        case (.rule, .string(let word)): rule = max(rule, Self.rules[word] ?? .always)
        case (.rule, _): rule = .always
        case (.grace, .integer(let seconds)): grace = min(grace ?? seconds, seconds)
        case (.grace, _): grace = 0
        case (.idleLock, .integer(let seconds)): idleLock = min(idleLock ?? seconds, seconds)
        case (.idleLock, _): idleLock = Self.shortestIdleLock
        case (.history, .boolean(let keeps)): keepsHistory = keepsHistory && keeps
        case (.history, _): keepsHistory = false
        case (.browsers, .strings(let paths)): browsers = browsers?.intersection(paths) ?? Set(paths)
        case (.browsers, _): browsers = []
        }
    }

    private static let rules: [String: VerificationSettings.Rule] = [
        "never": .never, "when-set-up": .whenSetUp, "always": .always,
    ]

    // MARK: - What it allows

    /// Whether a provider may be turned on.
    package func allows(provider identifier: String) -> Bool { providers?.contains(identifier) ?? true }

    /// Whether a browser may ask, by its program; one whose program is not known may not where only some may.
    package func allows(browser path: String?) -> Bool {
        guard let browsers else { return true }
        return path.map(browsers.contains) ?? false
    }

    /// The settings of the person, made as strict as they must be.
    package func tightened(_ settings: VerificationSettings) -> VerificationSettings {
        VerificationSettings(
            rule: max(settings.rule, rule), grace: min(settings.grace, grace ?? .max),
            providers: settings.providers.mapValues { max($0, rule) })
    }

    // MARK: - What is said of it

    /// That a setting is the administrator's: for the end of a sentence, or a sentence of its own.
    package func origin(of key: Key) -> String {
        "set by the administrator (\((files[key] ?? []).sorted().joined(separator: ", ")))"
    }

    /// The error for what is forbidden by `key`.
    package func refusal(_ key: Key, _ sentence: String, provider: String? = nil) -> ProtocolError {
        ProtocolError(.forbidden, "\(sentence) This is \(origin(of: key)).", provider: provider)
    }

    /// Everything that is set, for whoever uses the computer; nil where nothing is, and nothing is wrong.
    package var state: PolicyState? {
        guard !files.isEmpty || !faults.isEmpty else { return nil }
        let settings = Key.allCases.compactMap { key -> PolicyState.Setting? in
            guard let files = files[key] else { return nil }
            return PolicyState.Setting(name: key.rawValue, value: words(key), files: files.sorted())
        }
        return PolicyState(settings: settings, faults: faults)
    }

    private func words(_ key: Key) -> String {
        switch key {
        case .providers: (providers ?? []).sorted().joined(separator: ", ")
        case .rule: Self.rules.first { $0.value == rule }?.key ?? ""
        case .grace: String(grace ?? 0)
        case .idleLock: String(idleLock ?? 0)
        case .history: keepsHistory ? "true" : "false"
        case .browsers: (browsers ?? []).sorted().joined(separator: ", ")
        }
    }
}

extension VerificationSettings.Rule: Comparable {
    /// The stricter rule is the greater one.
    package static func < (left: Self, right: Self) -> Bool { left.strictness < right.strictness }

    private var strictness: Int {
        switch self {
        case .never: 0
        case .whenSetUp: 1
        case .always: 2
        }
    }
}
