package import AutoFillWire
package import KeywaySystem

/// What is kept for the providers, as far as their processes ask for it.
package protocol ProviderStores: Sendable {
    /// How it fails. The compiler counts no use of a module inside the type of a function.
    typealias Failure = ProtocolError

    /// Answers what processes of the provider `provider` ask of what is kept for it.
    ///
    /// - Parameter checked: the same identifier; throws where the provider is not on any more, or has changed.
    func addMethods(
        to table: inout MethodTable, for provider: String,
        checked: @escaping @Sendable () async throws(ProtocolError) -> String)

    /// Forgets what the connection `owner` of the provider had begun to write.
    func dropWrites(of owner: ObjectIdentifier, for provider: String) async
}
