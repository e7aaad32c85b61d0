package import AutoFillWire

/// The types of activities that the broker starts the app of a provider for.
package enum ExchangeActivityType {
    /// Takes credentials over: as the API declares it.
    package static let importing = "ASCredentialExchangeActivity"
    /// The same, as the API's documentation spells it.
    package static let importingAsDocumented = "ASCredentialExchangeActivityType"
    /// Exports credentials; ours, for whoever asks for it in a terminal.
    package static let exporting = "KeywayCredentialExportActivity"
}

/// Starts the app of a provider, which exports its credentials to another provider's app.
package enum BeginExchange: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// Whose credentials; nil for the only provider that exports any.
        package let provider: String?
        /// Who is to have them; the person is asked all the same, and chooses from all where it is nil.
        package let destination: String?
        /// Whether the caller draws interfaces (`presentation.show`); else a window is opened.
        package let presents: Bool

        /// An exchange from `provider` to `destination`.
        package init(provider: String?, destination: String? = nil, presents: Bool) {
            self.provider = provider
            self.destination = destination
            self.presents = presents
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// Who exported.
        package let exporter: ProviderReference
        /// Who took what it exported.
        package let destination: ProviderReference
        /// What the exporter says of what it left out: a sealed memory file, which the broker does not read.
        package let exported: Attachment?
        /// What the other one says of what it has no place for, likewise.
        package let imported: Attachment?

        /// An exchange from `exporter` to `destination`.
        package init(
            exporter: ProviderReference, destination: ProviderReference, exported: Attachment?, imported: Attachment?
        ) {
            self.exporter = exporter
            self.destination = destination
            self.exported = exported
            self.imported = imported
        }
    }

    package static let name = "exchange.begin"
    package static let callers: Set<Role> = [.terminal]
}

/// Asks the person who is to have the calling app's credentials (`requestExport(for:)`).
package enum RequestExport: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// `CFBundleIdentifier` of the caller's own provider; nil where it is the app of one.
        package let provider: String?

        /// An export of `provider`.
        package init(provider: String?) {
            self.provider = provider
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// Names the agreement to ``ExportCredentials``, over the same connection.
        package let exchange: String
        /// The version of the format that both sides know.
        package let formatVersion: String

        /// An agreement on `formatVersion`.
        package init(exchange: String, formatVersion: String) {
            self.exchange = exchange
            self.formatVersion = formatVersion
        }
    }

    package static let name = "exchange.request"
    package static let callers: Set<Role> = [.application, .providerApplication]
}

/// Hands credentials over (`exportCredentials(_:)`); answered when the other app is done with them.
package enum ExportCredentials: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// What was agreed on; nil where the person has not been asked yet.
        package let exchange: String?
        /// The version of the format that the data is in.
        package let formatVersion: String
        /// The credentials: a sealed memory file, which the broker does not read.
        package let data: Attachment

        /// `data`, as `exchange` agreed.
        package init(exchange: String?, formatVersion: String, data: Attachment) {
            self.exchange = exchange
            self.formatVersion = formatVersion
            self.data = data
        }
    }

    package typealias Result = Nothing

    package static let name = "exchange.export"
    package static let callers: Set<Role> = [.application, .providerApplication]
}

/// Takes the credentials that wait for the calling app, once (`importCredentials(token:)`).
package enum TakeCredentials: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// What the activity brought, as a UUID is written.
        package let token: String

        /// What waits under `token`.
        package init(token: String) {
            self.token = token
        }
    }

    package struct Result: Codable, Hashable, Sendable {
        /// The credentials: the sealed memory file that the other app made.
        package let data: Attachment

        /// These.
        package init(data: Attachment) {
            self.data = data
        }
    }

    package static let name = "exchange.take"
    package static let callers: Set<Role> = [.application, .providerApplication]
}

/// Has the app of a provider, which was started for it, continue an activity (`NSUserActivity`).
package enum ContinueActivity: RemoteMethod {
    package struct Parameters: Codable, Hashable, Sendable {
        /// The type of the activity.
        package let type: String
        /// What to take credentials by, where the activity is that of the exchange.
        package let token: String?

        /// An activity of `type`.
        package init(type: String, token: String? = nil) {
            self.type = type
            self.token = token
        }
    }

    /// How it ended.
    package enum Result: Codable, Hashable, Sendable {
        /// It is done; the report is a sealed memory file, which the broker does not read.
        case finished(report: Attachment?)
        /// The person backed out.
        case cancelled
        /// It failed, for this reason, which is for the person.
        case failed(reason: String?)
    }

    package static let name = "activity.continue"
    package static let callers: Set<Role> = [.broker]
}
