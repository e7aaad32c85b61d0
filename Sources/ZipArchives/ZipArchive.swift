import CZip
package import KeywayCrypto

/// A zip archive in memory, read and never unpacked: names of members are labels, and nothing is written anywhere.
package final class ZipArchive {
    /// A member, as the archive's directory says it.
    package struct Member: Sendable {
        let index: UInt64
        /// Its name: a label, never a path.
        package let name: String
        /// How many bytes it says to be.
        package let size: Int
        let packedSize: Int
        let isLink: Bool
        let isEncrypted: Bool
    }

    /// The most members of an archive, unless whoever opens it expects more.
    package static let mostMembers = 10_000
    /// The most bytes of all members together.
    package static let mostBytes = 128 << 20
    /// How many times smaller than its content a member of more than 1 MiB may be.
    package static let highestRatio = 100

    /// The members, without folders.
    package private(set) var members: [Member] = []
    private let archive: OpaquePointer

    /// Whether bytes begin as an archive does, also as an empty one.
    package static func fits(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.starts(with: [0x50, 0x4B, 0x03, 0x04] as [UInt8])
            || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06] as [UInt8])
    }

    /// Opens an archive; the bytes must stay as long as it is used.
    ///
    /// - Throws: ``ZipError``.
    package init(_ bytes: UnsafeRawBufferPointer, mostMembers: Int = mostMembers) throws(ZipError) {
        // The library takes nothing for an empty archive.
        guard Self.fits(bytes), let source = zip_source_buffer_create(bytes.baseAddress, UInt64(bytes.count), 0, nil)
        else {
            throw ZipError(.damaged, "this isn't a zip archive")
        }
        guard let archive = zip_open_from_source(source, ZIP_RDONLY, nil) else {
            zip_source_free(source)
            throw ZipError(.damaged, "the zip archive is damaged")
        }
        self.archive = archive
        members = try Self.members(of: archive, mostMembers)
    }

    deinit {
        // Nothing was changed, so that there is nothing to write.
        zip_discard(archive)
    }

    private static func members(of archive: OpaquePointer, _ mostMembers: Int) throws(ZipError) -> [Member] {
        let count = zip_get_num_entries(archive, 0)
        guard count >= 0 else { throw ZipError(.damaged, "the zip archive is damaged") }
        guard count <= mostMembers else {
            throw ZipError(.tooLarge, "the zip archive has more than \(mostMembers) members")
        }
        var (members, total) = ([Member](), 0)
        for index in 0..<UInt64(count) {
            let member = try member(index, of: archive)
            guard !member.name.hasSuffix("/") else { continue }
            total += member.size
            guard total <= mostBytes else {
                throw ZipError(.tooLarge, "the zip archive has more than \(mostBytes >> 20) MiB in it")
            }
            members.append(member)
        }
        return members
    }

    private static func member(_ index: UInt64, of archive: OpaquePointer) throws(ZipError) -> Member {
        var (status, system, attributes) = (zip_stat_t(), UInt8(0), UInt32(0))
        guard zip_stat_index(archive, index, zip_flags_t(ZIP_FL_ENC_GUESS), &status) == 0, let name = status.name,
            status.size <= UInt64(mostBytes), status.comp_size <= UInt64(mostBytes)
        else { throw ZipError(.tooLarge, "a member of the zip archive is damaged or too large") }
        _ = zip_file_get_external_attributes(archive, index, 0, &system, &attributes)
        // The upper half is the mode that a Unix gave it.
        let isLink = system == UInt8(ZIP_OPSYS_UNIX) && attributes >> 16 & 0o170000 == 0o120000
        return Member(
            index: index, name: String(cString: name), size: Int(status.size), packedSize: Int(status.comp_size),
            isLink: isLink, isEncrypted: status.encryption_method != UInt16(ZIP_EM_NONE))
    }

    // MARK: - Members

    /// The one member of that name; nil where there is none.
    ///
    /// - Throws: ``ZipError``: `forbidden` where there are several.
    package func member(named name: String) throws(ZipError) -> Member? {
        let found = members.filter { $0.name == name }
        guard found.count <= 1 else { throw ZipError(.forbidden, "a member stands in the zip archive twice") }
        return found.first
    }

    /// What is in a member.
    ///
    /// - Throws: ``ZipError``.
    package func content(of member: Member) throws(ZipError) -> SecretBytes {
        guard !member.isLink else { throw ZipError(.forbidden, "a member of the zip archive is a link") }
        guard !member.isEncrypted else { throw ZipError(.unsupported, "the zip archive is encrypted") }
        guard member.size <= 1 << 20 || member.size / Self.highestRatio <= member.packedSize else {
            throw ZipError(.tooLarge, "a member of the zip archive is packed as nothing but a bomb is")
        }
        guard let file = zip_fopen_index(archive, member.index, 0) else {
            throw ZipError(.unsupported, "a member of the zip archive is packed in a way that Keyway doesn't read")
        }
        defer { zip_fclose(file) }
        let content = try SecretBytes(upTo: member.size + 1) { (room) throws(ZipError) in
            var count = 0
            // One byte more than it says to be: a longer one is noticed, and the sum is compared at the end.
            while count < room.count {
                let read = zip_fread(file, room.baseAddress.map { $0 + count }, UInt64(room.count - count))
                guard read >= 0 else { throw ZipError(.damaged, "a member of the zip archive is damaged") }
                if read == 0 { break }
                count += Int(read)
            }
            return count
        }
        guard content.count == member.size else {
            throw ZipError(.damaged, "a member of the zip archive has another size than the archive says")
        }
        return content
    }
}
