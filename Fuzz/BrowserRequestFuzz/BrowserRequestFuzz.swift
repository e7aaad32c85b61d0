import AutoFillProtocol

@testable import BrowserHost

/// Any frame of a browser is taken or refused, and what is taken keeps to the bounds.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBrowserRequests(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let frame = Array(UnsafeBufferPointer(start: start, count: count))
    guard let request = try? HostRequest(frame: frame, limits: WireLimits()) else { return 0 }
    precondition(request.id ?? 0 >= 0, "an id is negative")
    switch try? request.call.get() {
    case .suggest(let page): precondition(page.url.hasPrefix("http"), "no page of the web")
    case .fill(let choice): precondition(!choice.fields.isEmpty, "nothing to fill")
    case .cancel: precondition(request.id == nil, "a notification with an id")
    case .hello(let hello): precondition(hello.profile?.isValid ?? true, "a profile that is none")
    case nil: break
    }
    return 0
}
