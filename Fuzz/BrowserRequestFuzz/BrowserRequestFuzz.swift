import AutoFillWire
import FoundationEssentials
import struct WebAuthnValues.ClientData

@testable import BrowserHost

/// Any frame of a browser is taken or refused, and what is taken keeps to the bounds; of passkeys, nothing of the frame
/// but address and challenge stands in what is signed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBrowserRequests(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let frame = Array(UnsafeBufferPointer(start: start, count: count))
    guard let request = try? HostRequest(frame: frame, limits: WireLimits()) else { return 0 }
    precondition(request.id ?? 0 >= 0, "an id is negative")
    switch try? request.call.get() {
    case .suggest(let asked): judge(asked.page)
    case .available(let page), .texts(let page): judge(page)
    case .insert(let asked):
        judge(asked.page)
        precondition(!asked.provider.isEmpty, "nobody's texts")
    case .fill(let choice):
        precondition(!choice.fields.isEmpty || choice.passkey != nil, "nothing to fill")
        if let asked = choice.passkey { judge(asked, AskingFrame(page: choice.page)) }
    case .get(let asked): judge(asked.request, asked.frame)
    case .create(let asked):
        judge(asked.frame, .create, asked.request.challenge)
        let wanted = asked.request.registration(
            asked.frame, asked.frame.clientData(.create, Array(asked.request.challenge)))
        precondition((1...64).contains(wanted.userHandle.count), "a user handle of an impossible size")
        precondition((1...64).contains(wanted.algorithms.count), "no algorithm, or too many")
        precondition(wanted.excludedCredentials.count <= 1024, "too many passkeys")
    case .report(let told): judge(told.page)
    case .generate(let asked):
        judge(asked.page)
        precondition((asked.rules?.count ?? 0) <= 4064, "rules without end")
    case .keep(let form), .submit(let form):
        judge(form.page)
        precondition((16...64).contains(form.session.utf8.count), "a form that cannot be told from others")
        precondition(form.user.count <= 1000, "a user name that nobody has")
    case .settle(let told): precondition((16...64).contains(told.session.utf8.count), "no form that was sent")
    case .changePage(let page), .setUp(let page): judge(page)
    case .askAgain(let asked): precondition(!asked.site.isEmpty, "no site")
    case .lock(let provider): precondition(!provider.isEmpty, "nobody is locked")
    case .state, .savingSupport, .unsavedSites: break
    case .cancel: precondition(request.id == nil, "a notification with an id")
    case .hello(let hello): precondition(hello.profile?.isValid ?? true, "a profile that is none")
    case nil: break
    }
    return 0
}

private func judge(_ page: Page) {
    precondition(page.url.hasPrefix("http"), "no page of the web")
}

private func judge(_ asked: PageAssertion, _ frame: AskingFrame) {
    judge(frame, .get, asked.challenge)
    precondition(asked.allowed.count <= 1024, "too many passkeys")
    precondition(asked.allowed.allSatisfy { (1...1023).contains($0.count) }, "a passkey of an impossible name")
    _ = try? asked.parameters(frame, frame.clientData(.get, Array(asked.challenge)))
}

/// Any reader of JSON finds the challenge and the address in the client data, and nothing else.
private func judge(_ frame: AskingFrame, _ ceremony: ClientData.Ceremony, _ challenge: Data) {
    judge(frame.page)
    let data = frame.clientData(ceremony, Array(challenge))
    guard let written = try? JSONDecoder().decode(Written.self, from: Data(data.json)) else {
        preconditionFailure("client data that nobody can read")
    }
    precondition(written.type == (ceremony == .get ? "webauthn.get" : "webauthn.create"), "another ceremony")
    precondition(frame.page.url.hasPrefix(written.origin), "another origin")
    precondition(written.crossOrigin == (frame.top != nil) && written.topOrigin == frame.top, "another page around it")
}

private struct Written: Decodable {
    let type: String
    let challenge: String
    let origin: String
    let crossOrigin: Bool
    let topOrigin: String?
}
