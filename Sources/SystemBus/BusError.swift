import Glibc

/// Why the bus cannot be used, or a call on it failed.
package struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: String, Sendable {
        /// There is no bus, or it turned us away.
        case noBus
        /// The bus is there and a call on it failed.
        case callFailed
        /// A message is not made as its interface says.
        case malformed
    }

    /// What kind of failure this is; equality of two errors is equality of their codes.
    package let code: Code
    /// The call that failed, and the system's word for why.
    package let detail: String
    /// The name of the error on the bus, where whoever was called gave one.
    package let name: String?

    /// An error of `code`, with its detail.
    package init(_ code: Code, _ detail: String, name: String? = nil) {
        self.code = code
        self.detail = detail
        self.name = name
    }

    /// Whether nobody has the name that was called, and nobody can be started who would.
    package var isNobodyThere: Bool {
        name == "org.freedesktop.DBus.Error.ServiceUnknown" || name == "org.freedesktop.DBus.Error.NameHasNoOwner"
    }

    /// Code and detail in one line.
    package var description: String { "\(code.rawValue): \(detail)" }

    package static func == (left: BusError, right: BusError) -> Bool { left.code == right.code }

    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

/// The system's word for an error number.
func errorText(_ number: Int32) -> String {
    strerror(number).map { String(cString: $0) } ?? "error \(number)"
}
