package import KeywaySystem

/// The version of the protocol: a different major cannot talk, a different minor can.
package struct ProtocolVersion: Codable, Hashable, Sendable {
    /// Counts changes that an older peer cannot understand.
    package let major: Int
    /// Counts additions that an older peer may ignore.
    package let minor: Int

    /// The version `major.minor`.
    package init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    /// What this build speaks.
    package static let current = ProtocolVersion(major: 1, minor: 1)
    /// The release that this build belongs to.
    package static let release = "0.1.0"
}

extension ProtocolVersion: CustomStringConvertible {
    package var description: String { "\(major).\(minor)" }
}

/// Which profile of a browser asks: the browser's extension makes the identifier once for each profile and keeps it.
package struct BrowserProfile: Codable, Hashable, Sendable {
    /// 16 to 64 letters, digits and hyphens, the same as long as the profile exists.
    package let identifier: String
    /// The browser's name, such as `Chromium`, for people.
    package let browser: String

    /// A profile of `browser`.
    package init(identifier: String, browser: String) {
        self.identifier = identifier
        self.browser = browser
    }

    /// Whether both keep to their bounds: who shows a name or keeps an identifier takes no others. The name is 1 to 64
    /// bytes of one line.
    package var isValid: Bool {
        let isName = (1...64).contains(browser.utf8.count) && DisplayText.line(browser) == browser
        return isName && (16...64).contains(identifier.utf8.count)
            && identifier.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}

/// The first message of every connection: who is there, and in which version of the protocol.
package enum Hello: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The version that the caller speaks.
        package let `protocol`: ProtocolVersion
        /// What the caller is.
        package let role: Role
        /// The caller's name and release, for messages and logs.
        package let name: String
        /// Which profile of which browser; a browser host's only.
        package let profile: BrowserProfile?

        /// A greeting from `name`, a `role` of this build.
        package init(
            role: Role, name: String, protocol: ProtocolVersion = .current, profile: BrowserProfile? = nil
        ) {
            self.role = role
            self.name = name
            self.profile = profile
            self.protocol = `protocol`
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// The version that the other side speaks.
        package let `protocol`: ProtocolVersion
        /// Its name and release.
        package let name: String

        /// The answer of `name`.
        package init(name: String, protocol: ProtocolVersion = .current) {
            self.name = name
            self.protocol = `protocol`
        }
    }

    package static let name = "hello"
    package static let callers = Set(Role.allCases)
}

/// How the answering side of a connection handles the first message.
package struct Greeting: Sendable {
    /// The roles that may come through this door.
    package let accepts: Set<Role>
    /// Our own name and release.
    package let name: String
    /// What else speaks against whoever greets, at that moment; nil when nothing does.
    private let objection: @Sendable () -> ProtocolError?

    /// A door for `accepts`, kept by `name`.
    package init(accepts: Set<Role>, name: String, objection: @escaping @Sendable () -> ProtocolError? = { nil }) {
        self.accepts = accepts
        self.name = name
        self.objection = objection
    }

    /// Checks a greeting.
    ///
    /// - Throws: ``ProtocolError`` with `versionMismatch` or `notAllowed`, both saying what to do, with
    ///   `invalidParameters` for a profile that is none, or what else speaks against it.
    func answer(_ hello: Hello.Parameters) throws(ProtocolError) -> Hello.Result {
        let ours = ProtocolVersion.current
        guard hello.protocol.major == ours.major else {
            let older = hello.protocol.major < ours.major
            throw ProtocolError(
                .versionMismatch,
                "\(hello.name.prefix(80)) speaks protocol \(hello.protocol), \(name) speaks \(ours): "
                    + (older ? "update and restart the former." : "restart the latter, or update it."))
        }
        guard accepts.contains(hello.role) else {
            throw ProtocolError(.notAllowed, "A \(hello.role.rawValue) has no business at this door.")
        }
        if let profile = hello.profile {
            guard hello.role == .browser, profile.isValid else {
                throw ProtocolError(.invalidParameters, "A browser's profile is not named like that.")
            }
        }
        if let objection = objection() { throw objection }
        return Hello.Result(name: name)
    }
}
