import Foundation

/// To whom the entries of a folder are encrypted.
struct Recipients: Sendable {
    private static let maximumBytes = 1 << 16

    let settings: StoreSettings

    /// The recipients for a folder of the store: those of the settings, else of the nearest `.gpg-id` above.
    ///
    /// - Throws: ``StoreError``: `noStore` where there is none, `badSignature` where a signature is asked for and there is
    ///   no good one, or what gpg threw.
    func recipients(ofFolder folder: String) async throws -> [String] {
        guard settings.recipients.isEmpty else { return settings.recipients }
        guard let file = nearestFile(toFolder: folder), let text = Self.read(file) else {
            throw StoreError.noStore(settings.folder)
        }
        try await verify(file)
        let recipients = Self.recipients(inFile: text)
        guard !recipients.isEmpty else { throw StoreError.noStore(settings.folder) }
        return recipients
    }

    /// A line each; what stands behind `#` is a comment.
    static func recipients(inFile text: String) -> [String] {
        text.split(separator: "\n").map { line in
            String(line.prefix { $0 != "#" }).trimmingCharacters(in: .whitespaces)
        }.filter { !$0.isEmpty }
    }

    /// The `.gpg-id` of the folder, or of the nearest one above it in the store.
    func nearestFile(toFolder folder: String) -> String? {
        var parts = folder.split(separator: "/")
        while true {
            let place = ([settings.folder] + parts.map(String.init)).joined(separator: "/")
            var status = stat()
            if stat("\(place)/.gpg-id", &status) == 0, status.st_mode & S_IFMT == S_IFREG { return "\(place)/.gpg-id" }
            if parts.popLast() == nil { return nil }
        }
    }

    private func verify(_ file: String) async throws {
        guard !settings.signingKeys.isEmpty else { return }
        guard access("\(file).sig", F_OK) == 0 else { throw StoreError.badSignature(file) }
        let signers = try await GnuPG(settings).signers(of: file)
        guard settings.signingKeys.contains(where: { signers.contains($0) }) else {
            throw StoreError.badSignature(file)
        }
    }

    private static func read(_ path: String) -> String? {
        guard let file = FileHandle(forReadingAtPath: path), let data = try? file.read(upToCount: maximumBytes) else {
            return nil
        }
        return String(data: data, encoding: .utf8)
    }
}
