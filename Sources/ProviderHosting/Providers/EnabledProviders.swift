import BrokerBase
import KeywaySystem

/// The settings file with the providers that the person turned on, in their order.
///
/// An entry also names the bundle's folder and what the bundle contained, so that neither another bundle with the same
/// identifier nor a replaced one counts as turned on.
struct EnabledProviders: Sendable {
    struct Choice: Codable, Hashable, Sendable {
        let identifier: String
        let path: String
        /// Nil in a file that was written before there were records: such a provider counts as changed.
        let record: BundleRecord?
        /// Whether it may run where this machine cannot confine it fully; missing means no.
        var mayRunUnconfined: Bool?
    }

    struct Document: Codable, Sendable {
        var enabled: [Choice]
    }

    private let file: SettingsFile<Document>
    /// What the person chose, in their order.
    private(set) var choices: [Choice]

    /// The file in `folder`.
    static func file(in folder: String, _ seal: SettingsSeal) -> SettingsFile<Document> {
        SettingsFile(
            folder: folder, name: "providers.json",
            consequence: "no provider is turned on. Turn yours on again: keyway providers enable NAME.", seal: seal)
    }

    /// Reads the file; none is as good as an empty one.
    ///
    /// - Throws: ``ProtocolError``, as ``SettingsFile/read()``.
    init(_ file: SettingsFile<Document>) throws(ProtocolError) {
        self.file = file
        choices = try file.read()?.enabled ?? []
    }

    /// What the person chooses where the file is not believed: they begin anew.
    ///
    /// - Throws: ``ProtocolError``: `locked` or `system`.
    static func toChange(_ file: SettingsFile<Document>) throws(ProtocolError) -> EnabledProviders {
        do throws(ProtocolError) {
            return try EnabledProviders(file)
        } catch {
            guard error.code == .damaged else { throw error }
            return EnabledProviders(file: file, choices: [])
        }
    }

    private init(file: SettingsFile<Document>, choices: [Choice]) {
        self.file = file
        self.choices = choices
    }

    /// Where in the person's order the bundle in that folder stands; nil when they did not turn it on.
    func position(of bundle: ProviderBundle) -> Int? {
        choices.firstIndex { $0.identifier == bundle.reference.identifier && $0.path == bundle.path }
    }

    /// Turns a bundle on as it is now, at the end or where it stood already.
    ///
    /// - Throws: ``ProtocolError`` with the code `locked` or `system`; then nothing changed.
    mutating func enable(
        _ bundle: ProviderBundle, as record: BundleRecord, mayRunUnconfined: Bool = false
    ) throws(ProtocolError) {
        let identifier = bundle.reference.identifier
        let choice = Choice(
            identifier: identifier, path: bundle.path, record: record, mayRunUnconfined: mayRunUnconfined ? true : nil)
        var changed = choices
        if let index = changed.firstIndex(where: { $0.identifier == identifier }) {
            changed[index] = choice
        } else {
            changed.append(choice)
        }
        try write(changed)
    }

    /// Turns off whatever has that identifier.
    ///
    /// - Throws: ``ProtocolError`` with the code `locked` or `system`; then nothing changed.
    mutating func disable(_ identifier: String) throws(ProtocolError) {
        try write(choices.filter { $0.identifier != identifier })
    }

    /// Puts these first, in this order; the others follow as they stood.
    ///
    /// - Throws: ``ProtocolError`` with the code `locked` or `system`; then nothing changed.
    mutating func order(_ identifiers: [String]) throws(ProtocolError) {
        func place(_ choice: Choice) -> Int { identifiers.firstIndex(of: choice.identifier) ?? identifiers.count }
        // Sorting is stable.
        try write(choices.sorted { place($0) < place($1) })
    }

    private mutating func write(_ changed: [Choice]) throws(ProtocolError) {
        try file.write(Document(enabled: changed))
        choices = changed
    }
}
