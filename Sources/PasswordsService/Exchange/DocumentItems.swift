import CredentialExchange
import KeywaySystem
import Vault
import VaultExchange

/// The items of a document of CXF 1.0, one after another through all of its accounts.
struct DocumentItems {
    private let reader: ExchangeReader
    private let now: Int64
    private let holder: ([UInt8]) -> ItemReader.Holder?
    private let places: ExchangePlaces
    private var account = -1
    private var items: ExchangeReader.Items?
    private var itemReader: ItemReader?
    private var index = -1

    /// How many there are.
    var count: Int { reader.accounts.reduce(0) { $0 + $1.itemCount } }

    /// Goes through a document, which must stay while it is read.
    ///
    /// - Parameters:
    ///   - now: in seconds since 1970.
    ///   - holder: who has a passkey already.
    /// - Throws: `damaged`, `refused` for one that isn't read.
    init(
        _ bytes: UnsafeRawBufferPointer, now: Int64, holder: @escaping ([UInt8]) -> ItemReader.Holder?
    ) throws(ProtocolError) {
        var reader: ExchangeReader
        do throws(ExchangeError) {
            reader = try ExchangeReader(bytes)
        } catch {
            throw ProtocolError(error)
        }
        places = reader.takePlaces()
        self.reader = reader
        // What was exported is no younger than the export.
        self.now = reader.header?.timestamp.flatMap { $0 > 0 && $0 <= now ? $0 : nil } ?? now
        self.holder = holder
    }

    /// The next item with its number; nil after the last one.
    ///
    /// - Throws: `damaged`.
    mutating func next() throws(ProtocolError) -> (index: Int, item: ExchangeItem, reader: ItemReader)? {
        while true {
            do throws(ExchangeError) {
                if let item = try items?.next(), let itemReader {
                    index += 1
                    return (index, item, itemReader)
                }
            } catch {
                throw ProtocolError(error)
            }
            account += 1
            guard account < reader.accounts.count else { return nil }
            let next = reader.accounts[account]
            items = reader.items(of: next)
            itemReader = ItemReader(
                limits: .vault, now: now, account: next.account.id, places: places, holder: holder)
        }
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
