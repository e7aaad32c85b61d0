package import SecretDocuments

/// Reads a document of CXF 1.0: a header with accounts, or one account alone as Apple's exchange hands it over.
///
/// It goes through the whole document first and finds where its items lie, so that nothing of a damaged one is ever handed
/// out; then the items are read a few at a time. What it needs of memory does not depend on what is in the items.
package struct ExchangeReader {
    /// One account and the items in it.
    package struct Account: Sendable {
        /// Everything but its items.
        package fileprivate(set) var account: ExchangeAccount
        fileprivate let items: [Range<Int>]
        /// How many items it has.
        package var itemCount: Int { items.count }
    }

    /// How much of a document is read.
    package enum Bounds: Sendable {
        /// As much as of a file that may be from anybody.
        case anybodys
        /// All of it: it is what our own vault has just written.
        case ours

        fileprivate var longest: Int { self == .ours ? .max : DocumentLimits.longestDocument }
        fileprivate var mostItems: Int { self == .ours ? .max : DocumentLimits.mostItems }
    }

    /// The header; nil where the document is an account alone.
    package let header: ExchangeHeader?
    /// The accounts.
    package private(set) var accounts: [Account]
    private let bytes: UnsafeRawBufferPointer
    private let passed: PassedBytes?

    /// Goes through a document, which must stay while it is read.
    ///
    /// - Parameter passed: hears, each time, of each part that was gone through, by its place in `bytes`.
    /// - Throws: ``ExchangeError``: `unreadable`, `notExchange`, `unknownVersion`, `tooLarge`.
    package init(
        _ bytes: UnsafeRawBufferPointer, bounds: Bounds = .anybodys, passed: PassedBytes? = nil
    ) throws(ExchangeError) {
        self.passed = passed
        do {
            let bytes = try checkedText(bytes, longest: bounds.longest, passed: passed)
            guard
                let outline = try JSONOutline(
                    bytes, leaving: ["accounts", "items"], listing: ["items"], opening: "accounts",
                    most: bounds.mostItems, passed: passed)
            else { throw Self.notExchange }
            self.bytes = bytes
            var left = bounds.mostItems
            guard let outlines = outline.opened ?? (outline.places["accounts"] == nil ? nil : []) else {
                header = nil
                guard outline.object["collections"] != nil else { throw Self.notExchange }
                accounts = [try Self.account(outline, &left)]
                return
            }
            header = try Self.header(outline.object)
            var accounts: [Account] = []
            for outline in outlines {
                guard let outline else { throw Self.notExchange }
                accounts.append(try Self.account(outline, &left))
            }
            self.accounts = accounts
        } catch let error as DocumentError {
            throw ExchangeError(error)
        } catch let error as ExchangeError {
            throw error
        } catch {
            throw ExchangeError(.unreadable, "the document couldn't be read")
        }
    }

    private static let notExchange = ExchangeError(
        .notExchange, "this is JSON, but no document of the Credential Exchange Format")

    private static func header(_ object: JSONObject) throws(ExchangeError) -> ExchangeHeader {
        let header = ExchangeHeader(object)
        guard let major = header.major else { throw notExchange }
        // Some implementations of drafts wrote 0.0.
        guard major == 1 || major == 0 && header.minor == 0 else {
            throw ExchangeError(.unknownVersion, "the document is of a version that Keyway doesn't know")
        }
        return header
    }

    private static func account(
        _ outline: JSONOutline, _ left: inout Int
    ) throws -> Account {
        guard let items = outline.elements["items"] else { throw notExchange }
        left -= items.count
        guard left >= 0 else {
            throw ExchangeError(.tooLarge, "the document has more than \(DocumentLimits.mostItems) items")
        }
        return Account(account: ExchangeAccount(outline.object), items: items)
    }

    /// Where the items lie. The accounts have no collections afterwards: of many items they take as much memory again.
    package mutating func takePlaces() -> ExchangePlaces {
        let places = ExchangePlaces(accounts.map(\.account))
        for index in accounts.indices { accounts[index].account.object["collections"] = nil }
        return places
    }

    // MARK: - Items

    /// The items of an account, one after another.
    package func items(of account: Account) -> Items {
        Items(values: JSONValues(at: account.items, in: bytes, passed: passed))
    }

    /// Reads items one after another, some 64 KiB at a time.
    package struct Items {
        fileprivate var values: JSONValues

        /// The next item; nil at the end.
        ///
        /// - Throws: ``ExchangeError``: `unreadable` for an item that is no object, has a member twice, or too many parts.
        package mutating func next() throws(ExchangeError) -> ExchangeItem? {
            do {
                guard let value = try values.next() else { return nil }
                guard let object = value.object else { throw ExchangeError(.unreadable, "an item is no object") }
                return ExchangeItem(object)
            } catch let error as DocumentError {
                throw ExchangeError(error)
            } catch let error as ExchangeError {
                throw error
            } catch {
                throw ExchangeError(.unreadable, "an item couldn't be read")
            }
        }
    }
}
