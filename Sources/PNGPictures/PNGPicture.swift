import CPNG
package import KeywayCrypto

/// PNG pictures (ISO/IEC 15948) in shades of grey, one byte for each point, line by line. They may show a secret, so they lie
/// where secrets do.
package enum PNGPicture {
    /// What a picture shows.
    package typealias Parts = (width: Int, height: Int, points: SecretBytes)

    /// Reads a file; nil for what is no PNG. What can be seen through lies on white.
    ///
    /// - Parameter check: is told width and height before memory is taken for them.
    /// - Throws: what `check` throws.
    package static func read<Failure: Error>(
        _ file: UnsafeRawBufferPointer, check: (Int, Int) throws(Failure) -> Void
    ) throws(Failure) -> Parts? {
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        guard png_image_begin_read_from_memory(&image, file.baseAddress, file.count) != 0 else { return nil }
        let (width, height) = (Int(image.width), Int(image.height))
        try check(width, height)
        // Grey without transparency.
        image.format = 0
        var white = png_color(red: 255, green: 255, blue: 255)
        var isWhole = false
        let points = SecretBytes(count: width * height) { room in
            isWhole = png_image_finish_read(&image, &white, room.baseAddress, png_int_32(width), nil) != 0
        }
        return isWhole ? (width, height, points) : nil
    }

    /// The file that shows `points`; nil where the library fails.
    ///
    /// - Precondition: there are as many points as the picture has.
    package static func write(width: Int, height: Int, points: SecretBytes) -> SecretBytes? {
        precondition(points.count == width * height)
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        (image.width, image.height) = (png_uint_32(width), png_uint_32(height))
        image.format = 0
        defer { png_image_free(&image) }
        // No file is longer than its points, a little for each 16 KiB of them, and what stands around them.
        let most = points.count + height + points.count / 8 + 4096
        var isWritten = false
        let file = SecretBytes(upTo: most) { room in
            var count = room.count
            isWritten = points.withUnsafeBytes {
                png_image_write_to_memory(&image, room.baseAddress, &count, 0, $0.baseAddress, 0, nil) != 0
            }
            return isWritten ? count : 0
        }
        return isWritten ? file : nil
    }
}
