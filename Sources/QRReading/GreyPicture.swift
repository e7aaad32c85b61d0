import CTurboJPEG
package import KeywayCrypto
import PNGPictures

/// A picture with one byte of grey for each point, line by line. It may show a secret, so it lies where secrets do.
package struct GreyPicture: Sendable {
    /// The most bytes of a file.
    package static let longestFile = 32 << 20
    /// The most points of a picture: what two large screens show, or a camera of 48 megapixels.
    package static let mostPoints = 50_000_000

    /// In points.
    package let width, height: Int
    /// The points.
    package let points: SecretBytes

    /// Reads a file: PNG or JPEG, told apart by their first bytes.
    ///
    /// - Throws: ``PictureError``.
    package init(_ file: UnsafeRawBufferPointer) throws(PictureError) {
        guard file.count <= Self.longestFile else { throw PictureError(.tooLarge, "file of \(file.count) bytes") }
        if file.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            (width, height, points) = try Self.png(file)
        } else if file.starts(with: [0xFF, 0xD8]) {
            (width, height, points) = try Self.jpeg(file)
        } else {
            throw PictureError(.unreadable, "neither PNG nor JPEG")
        }
    }

    /// A picture of these points.
    ///
    /// - Precondition: there are as many as it has.
    package init(width: Int, height: Int, points: SecretBytes) {
        precondition(points.count == width * height)
        (self.width, self.height, self.points) = (width, height, points)
    }

    /// The same with light for dark.
    var inverted: GreyPicture {
        let inverted = SecretBytes(count: points.count) { room in
            points.withUnsafeBytes { for index in room.indices { room[index] = ~$0[index] } }
        }
        return GreyPicture(width: width, height: height, points: inverted)
    }

    private static func check(_ width: Int, _ height: Int) throws(PictureError) {
        guard width > 0, height > 0 else { throw PictureError(.unreadable, "no points") }
        guard width <= mostPoints / height else { throw PictureError(.tooLarge, "\(width) × \(height) points") }
    }

    private typealias Parts = (Int, Int, SecretBytes)

    private static func png(_ file: UnsafeRawBufferPointer) throws(PictureError) -> Parts {
        guard let parts = try PNGPicture.read(file, check: check) else { throw PictureError(.unreadable, "PNG") }
        return parts
    }

    private static func jpeg(_ file: UnsafeRawBufferPointer) throws(PictureError) -> Parts {
        guard let reader = tjInitDecompress() else { throw PictureError(.failed, "JPEG") }
        defer { tjDestroy(reader) }
        var (wide, high, sampling, colours) = (CInt(0), CInt(0), CInt(0), CInt(0))
        let header = tjDecompressHeader3(
            reader, file.octets, UInt(file.count), &wide, &high, &sampling, &colours)
        guard header == 0 else { throw PictureError(.unreadable, "JPEG") }
        let (width, height) = (Int(wide), Int(high))
        try check(width, height)
        let points = try SecretBytes(count: width * height) { (room) throws(PictureError) in
            // A file of few bytes can ask for any number of passes over the picture.
            let status = tjDecompress2(
                reader, file.octets, UInt(file.count), room.octets, wide, wide, high, CInt(TJPF_GRAY.rawValue),
                TJFLAG_LIMITSCANS)
            guard status == 0 || tjGetErrorCode(reader) == CInt(TJERR_WARNING.rawValue) else {
                throw PictureError(.unreadable, "JPEG")
            }
        }
        return (width, height, points)
    }
}
