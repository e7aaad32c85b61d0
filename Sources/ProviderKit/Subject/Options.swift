/// How a bundle is to be tested.
package struct KitOptions: Sendable {
    /// The bundle's folder.
    package var path: String
    /// Only these rules; empty means all.
    package var rules: [String] = []
    /// The record, user and service of an account that the provider has, where it tells the system of none.
    package var record: String?
    package var user: String?
    package var service: String?
    /// A file whose first line is typed where the provider asks for a secret.
    package var secretFile: String?
    /// A folder whose copy is the provider's home.
    package var home: String?
    /// How many requests the provider must stand without growing.
    package var requests = 10_000

    /// A test of the bundle at `path`.
    package init(path: String) {
        self.path = path
    }
}
