import CSystemd

extension BusValue {
    /// Appends the value to `message`.
    ///
    /// - Returns: what the library returns: negative where it failed.
    func append(to message: OpaquePointer) -> Int32 {
        switch self {
        case .string(let text): return text.withCString { sd_bus_message_append_basic(message, BusType.string, $0) }
        case .number(var number): return sd_bus_message_append_basic(message, BusType.number, &number)
        case .integer(var number): return sd_bus_message_append_basic(message, BusType.integer, &number)
        case .texts(let texts):
            return Self.contain(message, BusType.array, "s") { texts.map(BusValue.string).appendAll(to: message) }
        case .structure(let values):
            return Self.contain(message, BusType.structure, values.map(\.signature).joined()) {
                values.appendAll(to: message)
            }
        case .variants(let entries):
            return Self.contain(message, BusType.array, "{sv}") {
                entries.sorted { $0.key < $1.key }.first { name, value in
                    Self.contain(message, BusType.entry, "sv") {
                        let status = BusValue.string(name).append(to: message)
                        guard status >= 0 else { return status }
                        return Self.contain(message, BusType.variant, value.signature) { value.append(to: message) }
                    } < 0
                } == nil ? 0 : -1
            }
        case .strings(let entries):
            return Self.contain(message, BusType.array, "{ss}") {
                entries.sorted { $0.key < $1.key }.first { name, value in
                    Self.contain(message, BusType.entry, "ss") {
                        [BusValue.string(name), .string(value)].appendAll(to: message)
                    } < 0
                } == nil ? 0 : -1
            }
        }
    }

    private static func contain(
        _ message: OpaquePointer, _ type: CChar, _ contents: String, _ body: () -> Int32
    ) -> Int32 {
        var status = sd_bus_message_open_container(message, type, contents)
        if status >= 0 { status = body() }
        return status >= 0 ? sd_bus_message_close_container(message) : status
    }
}

extension [BusValue] {
    /// Appends all of them.
    fileprivate func appendAll(to message: OpaquePointer) -> Int32 {
        for value in self {
            let status = value.append(to: message)
            if status < 0 { return status }
        }
        return 0
    }
}
