// swift-format-ignore: AlwaysUseLowerCamelCase
/// The type of the `NSUserActivity` with which an application is started to take credentials over.
public let ASCredentialExchangeActivity = "ASCredentialExchangeActivity"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key in the activity's user info under which the token stands, a `UUID`.
public let ASCredentialImportToken = "ASCredentialImportToken"
