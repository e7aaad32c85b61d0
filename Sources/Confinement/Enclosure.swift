/// What one process of a bundle can reach. Nothing else is there for it.
package struct Enclosure: Hashable, Sendable {
    /// A file or folder of the machine, and what it is called inside.
    package struct Place: Hashable, Sendable {
        /// Its path without links.
        package let source: String
        /// Its path inside.
        package let path: String

        /// What lies at `source`, by the name `path`.
        package init(source: String, path: String) {
            self.source = source
            self.path = path
        }
    }

    /// How something that is reached may be used.
    package enum Access: Hashable, Sendable {
        case read
        case write
        /// Read, and run.
        case run
    }

    /// What is reached, and how.
    package var places: [Place: Access] = [:]
    /// Folders that are there, empty, and gone with the process: the home folder among them.
    package var privateFolders: [String] = []
    /// Folders among what is reached that are empty inside.
    package var hidden: [String] = []
    /// Programs of the system that may be run, beside those of the places.
    package var programs: [String] = []
    /// Whether the network of the machine is there.
    package var usesNetwork = false
    /// Whether the process needs nothing but files of its own, libraries and what it is handed: no programs, no network
    /// and no sockets. It is then confined without a user namespace, which would open its memory to every process of the
    /// person's, who owns that namespace.
    package var isKeeper = false
    /// How much it may take.
    package var limits: ResourceLimits

    /// Nothing is reached.
    package init(limits: ResourceLimits) {
        self.limits = limits
    }

    /// The places, those further up in the tree first.
    package var sortedPlaces: [(place: Place, access: Access)] {
        places.map { (place: $0.key, access: $0.value) }.sorted { $0.place.path < $1.place.path }
    }
}
