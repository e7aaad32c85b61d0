@testable import AutoFillWire
@testable import AutoFillProtocol

/// Any frame is taken or refused, and what is taken as parameters and written again is taken as the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMessages(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let frame = Array(UnsafeBufferPointer(start: start, count: count))
    guard (try? EnvelopeHead(frame: frame, limits: WireLimits())) != nil else { return 0 }
    survives(Hello.self, frame)
    survives(Suggest.self, frame)
    survives(Fill.self, frame)
    survives(RegisterPasskey.self, frame)
    survives(ReportCredential.self, frame)
    survives(WriteIdentities.self, frame)
    survives(SetProviderEnabled.self, frame)
    return 0
}

private func survives<M: RemoteMethod>(_ method: M.Type, _ frame: [UInt8]) where M.Parameters: Equatable {
    let none = AttachmentList()
    guard
        let message = try? WireCoding.decode(IncomingParameters<M.Parameters>.self, from: frame, none),
        let packet = try? WireCoding.encode(
            OutgoingRequest(id: 1, method: M.name, params: message.params, attachments: none))
    else { return }
    let again = try? WireCoding.decode(
        IncomingParameters<M.Parameters>.self, from: Array(packet.bytes.dropFirst(4)), none)
    precondition(again?.params == message.params, "\(M.name) is not what was written")
}
