import CSystemd
import Glibc

/// A message of sd-bus, read from front to back. Valid as long as whoever lent it keeps it.
package struct BusMessage {
    let pointer: OpaquePointer

    /// The object that it came from; empty where it names none.
    package var path: String {
        sd_bus_message_get_path(pointer).map { String(cString: $0) } ?? ""
    }

    /// The name that the bus gave to whoever sent it; empty where it names nobody.
    package var sender: String {
        sd_bus_message_get_sender(pointer).map { String(cString: $0) } ?? ""
    }

    /// Reads one string.
    package func readString() throws(BusError) -> String {
        var text: UnsafePointer<CChar>?
        let result = withUnsafeMutablePointer(to: &text) { sd_bus_message_read_basic(pointer, BusType.string, $0) }
        try check(result, "read a string")
        return text.map { String(cString: $0) } ?? ""
    }

    /// Reads one path of an object.
    package func readPath() throws(BusError) -> String {
        var text: UnsafePointer<CChar>?
        let result = withUnsafeMutablePointer(to: &text) { sd_bus_message_read_basic(pointer, BusType.path, $0) }
        try check(result, "read a path")
        return text.map { String(cString: $0) } ?? ""
    }

    /// Reads one truth value, which D-Bus keeps in 32 bits.
    package func readBoolean() throws(BusError) -> Bool {
        var value: Int32 = 0
        try check(sd_bus_message_read_basic(pointer, BusType.boolean, &value), "read a truth value")
        return value != 0
    }

    /// Reads one unsigned number of 32 bits.
    package func readNumber() throws(BusError) -> UInt32 {
        var value: UInt32 = 0
        try check(sd_bus_message_read_basic(pointer, BusType.number, &value), "read a number")
        return value
    }

    /// Reads one descriptor and gives back a copy, close-on-exec, that belongs to the caller.
    package func readDescriptor() throws(BusError) -> Int32 {
        var lent: Int32 = -1
        try check(sd_bus_message_read_basic(pointer, BusType.descriptor, &lent), "read a descriptor")
        return fcntl(lent, F_DUPFD_CLOEXEC, 3)
    }

    /// Reads an array of strings.
    package func readStrings() throws(BusError) -> [String] {
        var strings: [String] = []
        guard try enter(BusType.array, "s") else { return strings }
        while try check(sd_bus_message_at_end(pointer, 0), "look for the end") == 0 { strings.append(try readString()) }
        try leave()
        return strings
    }

    /// Goes into a container; false at the end of the array around it.
    package func enter(_ type: CChar, _ contents: String) throws(BusError) -> Bool {
        try check(sd_bus_message_enter_container(pointer, type, contents), "enter a container") > 0
    }

    /// Leaves the container.
    package func leave() throws(BusError) {
        try check(sd_bus_message_exit_container(pointer), "leave a container")
    }

    /// Passes over a value of this type.
    package func skip(_ type: String) throws(BusError) {
        try check(sd_bus_message_skip(pointer, type), "pass over a value")
    }

    @discardableResult
    private func check(_ result: Int32, _ step: String) throws(BusError) -> Int32 {
        guard result >= 0 else { throw BusError(.malformed, "\(step): \(errorText(-result))") }
        return result
    }
}

/// The type codes of D-Bus that occur here.
package enum BusType {
    package static let string = CChar(UInt8(ascii: "s"))
    package static let path = CChar(UInt8(ascii: "o"))
    package static let boolean = CChar(UInt8(ascii: "b"))
    package static let number = CChar(UInt8(ascii: "u"))
    package static let integer = CChar(UInt8(ascii: "i"))
    package static let descriptor = CChar(UInt8(ascii: "h"))
    package static let array = CChar(UInt8(ascii: "a"))
    package static let entry = CChar(UInt8(ascii: "e"))
    package static let variant = CChar(UInt8(ascii: "v"))
    package static let structure = CChar(UInt8(ascii: "r"))
}
