import Glibc
import KeywayCrypto
import KeywaySystem

/// `keyway-qr-reader`: reads one picture from descriptor 4, prints the links for one-time codes in it on descriptor 3,
/// and ends.
package enum QRReaderCommand {
    /// The links that are printed; nothing else that a code in a picture may say.
    static let schemes = ["otpauth:", "apple-otpauth:", "otpauth-migration:", "steam:"]

    /// Runs for who started it.
    ///
    /// - Returns: the exit status: 0, 1 for a picture that holds no link, 64 for wrong arguments, 65 for what is no
    ///   picture, 70 for anything else.
    package static func run(_ arguments: [String]) -> CInt {
        guard arguments.count == 1 else { return complain("it takes no arguments", EX_USAGE) }
        do {
            try ProcessHardening.apply()
        } catch {
            return complain("\(error)", EX_SOFTWARE)
        }
        do {
            let picture = try GreyPicture(picture())
            let links = try QRScanner.texts(in: picture).filter { $0.withUnsafeBytes(isLink) }
            guard !links.isEmpty else { return 1 }
            for link in links { try write(link) }
            return 0
        } catch {
            return complain("\(error)", error.code == .failed ? EX_SOFTWARE : EX_DATAERR)
        }
    }

    /// Whether it begins as a link for one-time codes, in any case, and is one line of ASCII.
    static func isLink(_ text: UnsafeRawBufferPointer) -> Bool {
        text.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            && schemes.contains { scheme in
                text.prefix(scheme.utf8.count).map { $0 | 0x20 }.elementsEqual(scheme.utf8.map { $0 | 0x20 })
            }
    }

    private static func picture() throws(PictureError) -> UnsafeRawBufferPointer {
        // Lives as long as this process, which reads one.
        let room = UnsafeMutableRawBufferPointer.allocate(byteCount: GreyPicture.longestFile + 1, alignment: 16)
        guard let count = WholeTransfer.read(into: room, from: 4) else {
            throw PictureError(.failed, "read: \(errno)")
        }
        guard count < room.count else { throw PictureError(.tooLarge, "file") }
        return UnsafeRawBufferPointer(rebasing: room[..<count])
    }

    private static func write(_ link: SecretBytes) throws(PictureError) {
        let line = SecretBytes(count: link.count + 1) { room in
            link.withUnsafeBytes { room.copyMemory(from: $0) }
            room[link.count] = UInt8(ascii: "\n")
        }
        guard line.withUnsafeBytes({ WholeTransfer.write($0, to: 3) }) else {
            throw PictureError(.failed, "write: \(errno)")
        }
    }

    private static func complain(_ message: String, _ status: CInt) -> CInt {
        let line = "keyway-qr-reader: \(message)\n"
        _ = line.withCString { Glibc.write(STDERR_FILENO, $0, strlen($0)) }
        return status
    }
}
