/// One interface of one object on the bus.
package struct BusObject: Hashable, Sendable {
    /// The name of who has the object.
    package let service: String
    /// The object's path.
    package let path: String
    /// The interface's name.
    package let interface: String

    /// `interface` of the object at `path` of `service`.
    package init(service: String, path: String, interface: String) {
        self.service = service
        self.path = path
        self.interface = interface
    }

    /// Another interface of the same object.
    package func with(interface: String) -> BusObject {
        BusObject(service: service, path: path, interface: interface)
    }
}

/// One argument of a call.
package indirect enum BusValue: Hashable, Sendable {
    case string(String)
    case number(UInt32)
    case integer(Int32)
    /// An array of strings (`as`).
    case texts([String])
    /// A structure of these values.
    case structure([BusValue])
    /// A dictionary of strings to variants (`a{sv}`).
    case variants([String: BusValue])
    /// A dictionary of strings to strings (`a{ss}`).
    case strings([String: String])

    /// The value's type, in the language of D-Bus.
    var signature: String {
        switch self {
        case .string: "s"
        case .number: "u"
        case .integer: "i"
        case .texts: "as"
        case .structure(let values): "(" + values.map(\.signature).joined() + ")"
        case .variants: "a{sv}"
        case .strings: "a{ss}"
        }
    }
}
