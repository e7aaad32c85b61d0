// swift-format-ignore: AlwaysUseLowerCamelCase
/// The type of the `NSUserActivity` with which an application is started to take credentials over.
public let ASCredentialExchangeActivity = "ASCredentialExchangeActivity"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The key in the activity's user info under which the token stands, a `UUID`.
public let ASCredentialImportToken = "ASCredentialImportToken"

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Ours: the type of the activity with which an application is started to export its credentials, because the person asked
/// for that in a terminal. It then does as if they had chosen that in the application.
public let KeywayCredentialExportActivity = "KeywayCredentialExportActivity"
