import CredentialExchange
import KeywayCrypto
import KeywaySystem
import SecretDocuments
import Vault
import VaultExchange

/// The items of a document of CXF 1.0, one after another through all of its accounts, as the vault would store them. It
/// knows nothing of the vault, so that the next ones can be read beside it while those before are compared and sealed.
// SAFETY: whoever holds it has it read one batch after another, never two at a time; what `read` needs beside that does not
// change once the first batch was read.
final class DocumentItems: @unchecked Sendable {
    /// An item as it was read.
    struct Item: Sendable {
        /// Which one, counted from 0.
        let index: Int
        /// What two items of a document have in common that say the same.
        let mark: ItemFingerprint.Mark
        /// The item as it stands in the document.
        let written: ExchangeItem
        /// The item for the vault, as far as nobody has its passkeys, or why there is none.
        let read: Result<ImportedItem, VaultExchangeError>
        /// How it is read where somebody has one.
        let account: Int
    }

    /// Some items.
    struct Batch: Sendable {
        let items: [Item]
        /// How many there are in the document.
        let count: Int
        /// Whether there are no more.
        let isLast: Bool
    }

    private let document: MappedDocument
    private let random: any RandomSource
    /// The document with what is in its files, once it was looked at.
    private var bundle: ExchangeBundle?
    private let now: Int64
    private let fingerprint: ItemFingerprint
    private var reader: ExchangeReader?
    private var places = ExchangePlaces()
    private var count = 0
    private var account = -1
    private var items: ExchangeReader.Items?
    private var itemReader: ItemReader?
    private var index = -1

    /// The items of `document`.
    ///
    /// - Parameters:
    ///   - now: in seconds since 1970.
    ///   - random: where the key of the fingerprints comes from.
    init(_ document: MappedDocument, now: Int64, random: any RandomSource) {
        self.document = document
        self.random = random
        self.now = now
        fingerprint = ItemFingerprint(random: random)
    }

    /// The next items, at most `most` of them. The first call goes through the whole document before.
    ///
    /// - Throws: `damaged`, `refused` for one that isn't read.
    func next(_ most: Int) throws(ProtocolError) -> Batch {
        let reader = try opened()
        var read: [Item] = []
        while read.count < most {
            guard let item = try next(in: reader) else { return Batch(items: read, count: count, isLast: true) }
            read.append(item)
        }
        return Batch(items: read, count: count, isLast: false)
    }

    /// Reads an item again, where somebody has a passkey of it.
    func read(
        _ item: Item, holder: @escaping ([UInt8]) -> ItemReader.Holder?
    ) -> Result<ImportedItem, VaultExchangeError> {
        guard let reader else { return item.read }
        let again = itemReader(of: reader.accounts[item.account], in: reader, holder)
        return Result { () throws(VaultExchangeError) in try again.read(item.written) }
    }

    private func opened() throws(ProtocolError) -> ExchangeReader {
        if let reader { return reader }
        do throws(ExchangeError) {
            let bundle = try ExchangeBundle(document.bytes)
            self.bundle = bundle
            var reader = try ExchangeReader(bundle.document, passed: MappedText.releasing(bundle.document))
            places = reader.takePlaces()
            count = reader.accounts.reduce(0) { $0 + $1.itemCount }
            self.reader = reader
            return reader
        } catch {
            throw ProtocolError(error)
        }
    }

    private func next(in reader: ExchangeReader) throws(ProtocolError) -> Item? {
        while true {
            do throws(ExchangeError) {
                if let item = try items?.next(), let itemReader {
                    index += 1
                    return Item(
                        index: index, mark: fingerprint.mark(of: item), written: item,
                        read: Result { () throws(VaultExchangeError) in try itemReader.read(item) }, account: account)
                }
            } catch {
                throw ProtocolError(error)
            }
            guard account + 1 < reader.accounts.count else { return nil }
            account += 1
            items = reader.items(of: reader.accounts[account])
            itemReader = itemReader(of: reader.accounts[account], in: reader) { _ in nil }
        }
    }

    private func itemReader(
        of account: ExchangeReader.Account, in reader: ExchangeReader,
        _ holder: @escaping ([UInt8]) -> ItemReader.Holder?
    ) -> ItemReader {
        // What was exported is no younger than the export.
        let made = reader.header?.timestamp.flatMap { $0 > 0 && $0 <= now ? $0 : nil } ?? now
        return ItemReader(
            limits: .vault, now: made, account: account.account.id, places: places, holder: holder
        ) { [unowned self] hash in content(hash) }
    }

    /// What is in a file, by the hash that it has, not by the one that somebody says it has.
    private func content(_ hash: [UInt8]) -> FileContent? {
        guard let place = bundle?[hash] else { return nil }
        let document = self.document
        let start = place.baseAddress.map { $0 - (document.bytes.baseAddress ?? $0) } ?? 0
        let content = try? FileContent(count: place.count, random: random) { (offset, room) in
            let range = start + offset..<start + offset + room.count
            room.copyMemory(from: UnsafeRawBufferPointer(rebasing: document.bytes[range]))
        }
        return content?.hash == hash ? content : nil
    }
}

extension ProtocolError {
    /// What a client learns of a document that can't be read.
    fileprivate init(_ error: ExchangeError) {
        let code: Code =
            switch error.code {
            case .unknownVersion, .tooLarge: .refused
            case .unreadable, .notExchange, .invalidCredential: .damaged
            }
        self.init(code, "The document can't be read (\(error)). Nothing was stored.")
    }
}
