import CSystemd
import Glibc

/// A message of sd-bus, read from front to back. Valid as long as whoever lent it keeps it.
struct BusMessage {
    let pointer: OpaquePointer

    /// The object that it came from; empty where it names none.
    var path: String {
        sd_bus_message_get_path(pointer).map { String(cString: $0) } ?? ""
    }

    /// Reads one string.
    func readString() throws(LoginMonitorError) -> String {
        var text: UnsafePointer<CChar>?
        let result = withUnsafeMutablePointer(to: &text) { sd_bus_message_read_basic(pointer, BusType.string, $0) }
        try check(result, "read a string")
        return text.map { String(cString: $0) } ?? ""
    }

    /// Reads one path of an object.
    func readPath() throws(LoginMonitorError) -> String {
        var text: UnsafePointer<CChar>?
        let result = withUnsafeMutablePointer(to: &text) { sd_bus_message_read_basic(pointer, BusType.path, $0) }
        try check(result, "read a path")
        return text.map { String(cString: $0) } ?? ""
    }

    /// Reads one truth value, which D-Bus keeps in 32 bits.
    func readBoolean() throws(LoginMonitorError) -> Bool {
        var value: Int32 = 0
        try check(sd_bus_message_read_basic(pointer, BusType.boolean, &value), "read a truth value")
        return value != 0
    }

    /// Reads one unsigned number of 32 bits.
    func readNumber() throws(LoginMonitorError) -> UInt32 {
        var value: UInt32 = 0
        try check(sd_bus_message_read_basic(pointer, BusType.number, &value), "read a number")
        return value
    }

    /// Reads one descriptor and gives back a copy, close-on-exec, that belongs to the caller.
    func readDescriptor() throws(LoginMonitorError) -> Int32 {
        var lent: Int32 = -1
        try check(sd_bus_message_read_basic(pointer, BusType.descriptor, &lent), "read a descriptor")
        return fcntl(lent, F_DUPFD_CLOEXEC, 3)
    }

    /// Goes into a container; false at the end of the array around it.
    func enter(_ type: CChar, _ contents: String) throws(LoginMonitorError) -> Bool {
        try check(sd_bus_message_enter_container(pointer, type, contents), "enter a container") > 0
    }

    /// Leaves the container.
    func leave() throws(LoginMonitorError) {
        try check(sd_bus_message_exit_container(pointer), "leave a container")
    }

    /// Passes over a value of this type.
    func skip(_ type: String) throws(LoginMonitorError) {
        try check(sd_bus_message_skip(pointer, type), "pass over a value")
    }

    @discardableResult
    private func check(_ result: Int32, _ step: String) throws(LoginMonitorError) -> Int32 {
        guard result >= 0 else { throw LoginMonitorError(.malformed, "\(step): \(errorText(-result))") }
        return result
    }
}

/// The type codes of D-Bus that occur here.
enum BusType {
    static let string = CChar(UInt8(ascii: "s"))
    static let path = CChar(UInt8(ascii: "o"))
    static let boolean = CChar(UInt8(ascii: "b"))
    static let number = CChar(UInt8(ascii: "u"))
    static let descriptor = CChar(UInt8(ascii: "h"))
    static let array = CChar(UInt8(ascii: "a"))
    static let entry = CChar(UInt8(ascii: "e"))
    static let variant = CChar(UInt8(ascii: "v"))
    static let structure = CChar(UInt8(ascii: "r"))
}

/// The system's word for an error number.
func errorText(_ number: Int32) -> String {
    strerror(number).map { String(cString: $0) } ?? "error \(number)"
}
