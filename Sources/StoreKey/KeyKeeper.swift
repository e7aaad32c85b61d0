import AutoFillProtocol
import KeywayCrypto

/// Opens the key from the source that keeps it, or creates one and keeps it in the best available source.
///
/// If a source can't be used now, the keeper waits for it, because a new key would wipe what that source could open a
/// moment later. It gives up a source only if that works and has lost the key. The same applies to the record that
/// names the source.
struct KeyKeeper {
    let folder: String
    /// The best first; the last one always works.
    let sources: [any KeySource]
    var random: any RandomSource = SystemRandomSource()

    /// The key, if it can be opened now, and what is to be said of it.
    func open() -> (StoreKeyHandover, SecretKey?) {
        let record: KeyRecord
        do throws(KeySourceError) {
            guard let found = try KeyRecord.read(in: folder) else { return make(because: nil) }
            record = found
        } catch {
            return (StoreKeyHandover(source: nil, isOpen: false, isNew: false, detail: error.detail), nil)
        }
        guard let source = sources.first(where: { $0.kind == record.source }) else {
            let detail = "The store key is kept in an unknown place: \(record.source)."
            return (StoreKeyHandover(source: record.source, isOpen: false, isNew: false, detail: detail), nil)
        }
        do throws(KeySourceError) {
            let key = try source.open(record)
            return (
                StoreKeyHandover(
                    source: record.source, isOpen: true, isNew: false, detail: whyNotBetter(than: record.source)), key
            )
        } catch {
            guard error.code == .lost else {
                return (
                    StoreKeyHandover(source: record.source, isOpen: false, isNew: false, detail: error.detail), nil
                )
            }
            return make(because: error.detail)
        }
    }

    private func make(because loss: String?) -> (StoreKeyHandover, SecretKey?) {
        let key = SecretKey(random: random)
        let identifier = random.bytes(16).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        var reasons = [loss].compactMap { $0 }
        for source in sources {
            do throws(KeySourceError) {
                let place = try source.keep(key, identifier: identifier)
                let record = KeyRecord(source: source.kind, identifier: identifier, place: place)
                // What was kept and does not open again is no source.
                guard try source.open(record).bytes == key.bytes else {
                    throw KeySourceError(.unavailable, "The key that was saved can't be read back.")
                }
                try record.write(in: folder)
                if source.kind != .file { KeyFile.remove(in: folder) }
                let detail = reasons.isEmpty ? nil : reasons.joined(separator: " ")
                return (StoreKeyHandover(source: source.kind, isOpen: true, isNew: true, detail: detail), key)
            } catch {
                reasons.append(error.detail)
            }
        }
        let detail = reasons.joined(separator: " ")
        return (StoreKeyHandover(source: nil, isOpen: false, isNew: false, detail: detail), nil)
    }

    /// Why none of the better sources has the key.
    private func whyNotBetter(than kind: BrokerStatus.StoreKeyState.Source) -> String? {
        let reasons = sources.prefix { $0.kind != kind }.map(\.obstacle)
        guard !reasons.isEmpty else { return nil }
        let works = sources.prefix { $0.kind != kind }.first { $0.obstacle == nil }
        if let works {
            return "\(works.name) could keep the key now, but wasn't available when the key was created. "
                + "To move the key there, remove \(folder) while keywayd isn't running."
        }
        return reasons.compactMap { $0 }.joined(separator: " ")
    }
}
