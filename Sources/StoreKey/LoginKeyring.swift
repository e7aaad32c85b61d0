import AutoFillProtocol
import CSecret
import Glibc
import KeywayCrypto

/// The middle source: the keyring that opens at login, spoken to by libsecret (the freedesktop.org Secret Service).
///
/// The key passes the session bus encrypted (libsecret's Diffie-Hellman session), and nobody is ever asked: a keyring
/// that is locked is one that cannot be used now.
struct LoginKeyring: KeySource {
    private static let loginCollection = "/org/freedesktop/secrets/collection/login"
    private static let application = "org.keyway.identity-stores"
    private static let contentType = "application/octet-stream"

    /// Whether there is a session bus to ask.
    let hasBus: Bool

    var kind: BrokerStatus.StoreKeyState.Source { .keyring }

    var name: String { "The login keyring" }

    var obstacle: String? {
        guard hasBus else { return "There is no session bus, so no login keyring." }
        return (try? keyring().isOpen) == true ? nil : "There is no open login keyring."
    }

    func keep(_ key: SecretKey, identifier: String) throws(KeySourceError) -> String? {
        let keyring = try keyring()
        guard keyring.isOpen else { throw KeySourceError(.unavailable, "The login keyring is locked.") }
        let attributes = Self.attributes(identifier)
        defer { g_hash_table_unref(attributes) }
        // As digits: not every keyring keeps bytes as they are.
        let value = Self.digits(of: key).withUnsafeBytes { digits in
            secret_value_new(
                digits.baseAddress?.assumingMemoryBound(to: gchar.self), gssize(digits.count), "text/plain")
        }
        defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
        var error: UnsafeMutablePointer<GError>?
        let item = secret_item_create_sync(
            keyring.collection, nil, attributes, "Keyway: key of the identity stores", value,
            SECRET_ITEM_CREATE_REPLACE, nil, &error)
        guard let item else { throw Self.failure("Couldn't save to the login keyring", error) }
        g_object_unref(item)
        return keyring.path
    }

    func open(_ record: KeyRecord) throws(KeySourceError) -> SecretKey {
        let keyring = try keyring(at: record.place)
        let attributes = Self.attributes(record.identifier)
        defer { g_hash_table_unref(attributes) }
        var error: UnsafeMutablePointer<GError>?
        let found = secret_service_search_sync(
            keyring.service, nil, attributes, SECRET_SEARCH_ALL, nil, &error)
        if error != nil { throw Self.failure("Couldn't search the login keyring", error) }
        defer { g_list_free_full(found) { g_object_unref($0) } }
        guard let item = found?.pointee.data.map({ UnsafeMutablePointer<SecretItem>(OpaquePointer($0)) }) else {
            // Only the very keyring that had it, open, can say that it is gone.
            throw keyring.isOpen && keyring.path == record.place
                ? KeySourceError(.lost, "The login keyring no longer has the key.")
                : KeySourceError(.unavailable, "The login keyring is locked, or it is a different one.")
        }
        guard secret_item_get_locked(item) == 0 else {
            throw KeySourceError(.unavailable, "The login keyring is locked.")
        }
        guard secret_item_load_secret_sync(item, nil, &error) != 0, let value = secret_item_get_secret(item) else {
            throw Self.failure("Couldn't read the key from the login keyring", error)
        }
        defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
        var count: gsize = 0
        let digits = secret_value_get(value, &count)
        guard let key = Self.key(UnsafeRawBufferPointer(start: digits, count: Int(count))) else {
            throw KeySourceError(.lost, "The entry in the login keyring isn't a valid key.")
        }
        return key
    }

    // MARK: - Keys of browsers

    /// What a browser of Chromium's family calls its entries.
    private static let browserSchema = "chrome_libsecret_os_crypt_password_v2"
    private static let mostKeys = 32

    /// The keys under which browsers of Chromium's family encrypt passwords, that of the application `name` first.
    ///
    /// - Throws: ``KeySourceError``: `unavailable` where there is no keyring, or an entry is locked.
    func browserKeys(first name: String) throws(KeySourceError) -> [SecretBytes] {
        guard hasBus else { throw KeySourceError(.unavailable, "There is no session bus, so no login keyring.") }
        var error: UnsafeMutablePointer<GError>?
        guard let service = Self.service(&error) else {
            throw Self.failure("There is no keyring on the session bus", error)
        }
        defer { g_object_unref(service) }
        let attributes = Self.table(["xdg:schema": Self.browserSchema])
        defer { g_hash_table_unref(attributes) }
        let found = secret_service_search_sync(service, nil, attributes, SECRET_SEARCH_ALL, nil, &error)
        if error != nil { throw Self.failure("Couldn't search the login keyring", error) }
        defer { g_list_free_full(found) { g_object_unref($0) } }
        var (keys, others, next) = ([SecretBytes](), [SecretBytes](), found)
        while let entry = next, keys.count + others.count < Self.mostKeys {
            next = entry.pointee.next
            guard let item = entry.pointee.data.map({ UnsafeMutablePointer<SecretItem>(OpaquePointer($0)) }) else {
                continue
            }
            guard secret_item_get_locked(item) == 0 else {
                throw KeySourceError(.unavailable, "The login keyring is locked.")
            }
            guard let key = Self.secret(of: item) else { continue }
            if Self.application(of: item) == name { keys.append(key) } else { others.append(key) }
        }
        return keys + others
    }

    private static func secret(of item: UnsafeMutablePointer<SecretItem>) -> SecretBytes? {
        var error: UnsafeMutablePointer<GError>?
        guard secret_item_load_secret_sync(item, nil, &error) != 0, let value = secret_item_get_secret(item) else {
            g_clear_error(&error)
            return nil
        }
        defer { secret_value_unref(UnsafeMutableRawPointer(value)) }
        var count: gsize = 0
        let bytes = UnsafeRawBufferPointer(start: secret_value_get(value, &count), count: Int(count))
        return SecretBytes(copying: bytes)
    }

    private static func application(of item: UnsafeMutablePointer<SecretItem>) -> String? {
        guard let attributes = secret_item_get_attributes(item) else { return nil }
        defer { g_hash_table_unref(attributes) }
        return g_hash_table_lookup(attributes, "application").map {
            String(cString: $0.assumingMemoryBound(to: CChar.self))
        }
    }

    // MARK: - The service

    /// The service, and the collection that opens at login.
    private final class Keyring {
        let service: UnsafeMutablePointer<SecretService>
        let collection: UnsafeMutablePointer<SecretCollection>

        init(service: UnsafeMutablePointer<SecretService>, collection: UnsafeMutablePointer<SecretCollection>) {
            self.service = service
            self.collection = collection
        }

        var isOpen: Bool { secret_collection_get_locked(collection) == 0 }

        var path: String { LoginKeyring.path(of: collection) }

        deinit {
            g_object_unref(collection)
            g_object_unref(service)
        }
    }

    private func keyring(at place: String? = nil) throws(KeySourceError) -> Keyring {
        guard hasBus else {
            throw KeySourceError(.unavailable, "There is no session bus, so no login keyring.")
        }
        var error: UnsafeMutablePointer<GError>?
        guard let service = Self.service(&error) else {
            throw Self.failure("There is no keyring on the session bus", error)
        }
        // GNOME's login keyring by its name; elsewhere the one that is used when nobody names one.
        let all = secret_service_get_collections(service)
        defer { g_list_free_full(all) { g_object_unref($0) } }
        for path in [place, Self.loginCollection].compactMap({ $0 }) {
            var next = all
            while let entry = next {
                let collection = UnsafeMutablePointer<SecretCollection>(OpaquePointer(entry.pointee.data))
                if let collection, Self.path(of: collection) == path {
                    g_object_ref(collection)
                    return Keyring(service: service, collection: collection)
                }
                next = entry.pointee.next
            }
        }
        guard place == nil,
            let collection = secret_collection_for_alias_sync(
                service, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE, nil, nil)
        else {
            g_object_unref(service)
            throw KeySourceError(.unavailable, "The keyring service has no login keyring.")
        }
        return Keyring(service: service, collection: collection)
    }

    private static func service(
        _ error: inout UnsafeMutablePointer<GError>?
    ) -> UnsafeMutablePointer<SecretService>? {
        let flags = SECRET_SERVICE_OPEN_SESSION.rawValue | SECRET_SERVICE_LOAD_COLLECTIONS.rawValue
        return secret_service_get_sync(SecretServiceFlags(flags), nil, &error)
    }

    private static func path(of collection: UnsafeMutablePointer<SecretCollection>) -> String {
        let proxy = UnsafeMutableRawPointer(collection).assumingMemoryBound(to: GDBusProxy.self)
        return g_dbus_proxy_get_object_path(proxy).map { String(cString: $0) } ?? ""
    }

    private static func attributes(_ identifier: String) -> OpaquePointer? {
        table(["application": application, "identifier": identifier])
    }

    private static func table(_ attributes: [String: String]) -> OpaquePointer? {
        let table = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free)
        for (name, value) in attributes {
            g_hash_table_insert(table, g_strdup(name), g_strdup(value))
        }
        return table
    }

    private static func failure(_ step: String, _ error: UnsafeMutablePointer<GError>?) -> KeySourceError {
        defer { g_error_free(error) }
        let detail = error?.pointee.message.map { String(cString: $0) } ?? "no reason given"
        return KeySourceError(.unavailable, "\(step): \(detail)")
    }

    // MARK: - Digits

    private static func digits(of key: SecretKey) -> SecretBytes {
        let alphabet = Array("0123456789abcdef".utf8)
        return SecretBytes(count: SecretKey.count * 2) { room in
            key.bytes.withUnsafeBytes { key in
                for (index, byte) in key.enumerated() {
                    room[2 * index] = alphabet[Int(byte >> 4)]
                    room[2 * index + 1] = alphabet[Int(byte & 15)]
                }
            }
        }
    }

    private static func key(_ digits: UnsafeRawBufferPointer) -> SecretKey? {
        func value(_ digit: UInt8) -> UInt8? {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
            default: nil
            }
        }
        guard digits.count == SecretKey.count * 2, digits.allSatisfy({ value($0) != nil }) else { return nil }
        return SecretKey(
            SecretBytes(count: SecretKey.count) { room in
                for index in 0..<SecretKey.count {
                    room[index] = (value(digits[2 * index]) ?? 0) << 4 | (value(digits[2 * index + 1]) ?? 0)
                }
            })
    }
}
