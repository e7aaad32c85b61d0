package import AutoFillWire

/// Asks the person to turn on the provider whose app is calling (`ASSettingsHelper`).
package enum RequestEnabling: RemoteMethod {
    package typealias Parameters = Nothing

    package struct Result: Codable, Hashable, Sendable {
        /// Whether it is on now.
        package let isEnabled: Bool

        /// On or off.
        package init(isEnabled: Bool) {
            self.isEnabled = isEnabled
        }
    }

    package static let name = "application.requestEnabling"
    package static let callers: Set<Role> = [.application]
}

/// Where the folder lies that app, extension and service of one bundle share (`KeywayGroup`).
package enum GroupContainer: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The group's name, as the bundle declares it.
        package let group: String

        /// The folder of `group`.
        package init(group: String) {
            self.group = group
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// The folder: it exists, and its mode is 0700.
        package let path: String

        /// The folder at `path`.
        package init(path: String) {
            self.path = path
        }
    }

    package static let name = "bundle.groupContainer"
    package static let callers: Set<Role> = [
        .providerExtension, .providerService, .application, .providerApplication,
    ]
}
