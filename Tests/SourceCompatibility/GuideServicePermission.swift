import AuthenticationServices

/// Whether a client may have the secrets of one account.
func mayShow(_ record: String, user: String, service: String, to client: KeywayServiceConnection) async -> Bool {
    let handout = KeywayServiceConnection.Handout.account(record: record, user: user, service: service)
    return (try? await client.requestPermission(toHandOut: handout)) != nil
}
