import Glibc

/// System calls as Swift wants them: a result or an error with the call's name.
package enum SystemCall {
    /// The text of an error number.
    package static func describe(_ number: Int32) -> String {
        guard let text = strerror(number) else { return "error \(number)" }
        return String(cString: text)
    }

    /// Runs `body` and turns a negative result into an error named after `name`.
    ///
    /// - Throws: ``ProtocolError`` with the code `system`.
    @discardableResult
    package static func check(_ name: String, _ body: () -> Int32) throws(ProtocolError) -> Int32 {
        let result = body()
        guard result >= 0 else { throw .system(name, errno) }
        return result
    }
}
