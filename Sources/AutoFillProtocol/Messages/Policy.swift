/// What the administrator of this computer has set (`keyway(5)`), for whoever uses it.
package struct PolicyState: Codable, Hashable, Sendable {
    /// One key.
    package struct Setting: Codable, Hashable, Sendable {
        /// Table and key: `vault.idle-lock`.
        package let name: String
        /// Its value, as a text.
        package let value: String
        /// The files that set it.
        package let files: [String]

        /// A setting by its parts.
        package init(name: String, value: String, files: [String]) {
            self.name = name
            self.value = value
            self.files = files
        }
    }

    /// Something that is wrong with a file.
    package struct Fault: Codable, Hashable, Sendable {
        /// Which file.
        package let file: String
        /// Which line, from 1 on; nil for the file as a whole.
        package let line: Int?
        /// What is wrong, in a clause.
        package let reason: String
        /// Whether the file says nothing, since others than the administrator can have written it. Otherwise everything is
        /// forbidden that the faulty part could have forbidden.
        package let isIgnored: Bool

        /// A fault by its parts.
        package init(file: String, line: Int?, reason: String, isIgnored: Bool) {
            self.file = file
            self.line = line
            self.reason = reason
            self.isIgnored = isIgnored
        }

        /// What is wrong, and what comes of it.
        package var sentence: String {
            let place = line.map { "\(file), line \($0)" } ?? file
            let consequence =
                isIgnored
                ? "Keyway ignores it." : "Keyway applies the strictest settings that it could have meant."
            return "\(place): \(reason). \(consequence)"
        }
    }

    /// What is set, in the order of `keyway(5)`.
    package let settings: [Setting]
    /// What is wrong.
    package let faults: [Fault]

    /// A state by its parts.
    package init(settings: [Setting], faults: [Fault]) {
        self.settings = settings
        self.faults = faults
    }
}
