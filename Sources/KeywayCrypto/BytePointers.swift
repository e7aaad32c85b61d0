/// What a C function gets that insists on a pointer although the length is zero; nothing is read or written there.
// SAFETY: allocated once, never changed, never freed; passed only together with the length zero.
private nonisolated(unsafe) let nowhere = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)

extension UnsafeRawBufferPointer {
    /// The start of the bytes for a C function; never null.
    package var octets: UnsafePointer<UInt8> {
        baseAddress?.assumingMemoryBound(to: UInt8.self) ?? UnsafePointer(nowhere)
    }
}

extension UnsafeMutableRawBufferPointer {
    /// The start of the bytes for a C function; never null.
    package var octets: UnsafeMutablePointer<UInt8> {
        baseAddress?.assumingMemoryBound(to: UInt8.self) ?? nowhere
    }
}

extension [UInt8] {
    /// Lends the bytes for the time of the call; like `withUnsafeBytes`, which loses the type of the error.
    package func lend<Result, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let outcome: Swift.Result<Result, Failure> = withUnsafeBytes { bytes in
            do throws(Failure) {
                return .success(try body(bytes))
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }
}
