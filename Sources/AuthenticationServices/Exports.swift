// What `import AuthenticationServices` brings along: Foundation, as on Apple's systems, and the values that describe an
// interface. Of `AutoFillProtocol` a provider sees only what is `public` there.
@_exported public import AutoFillProtocol
@_exported public import Foundation
