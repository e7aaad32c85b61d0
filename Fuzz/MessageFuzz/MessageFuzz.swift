@testable import AutoFillProtocol
@testable import AutoFillWire

/// Any frame is taken or refused, and what is taken as parameters and written again is taken as the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMessages(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let frame = Array(UnsafeBufferPointer(start: start, count: count))
    guard (try? params(of: frame)) != nil else { return 0 }
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
    guard
        let message = try? params(of: frame).decode(M.Parameters.self),
        let packet = try? WireCoding.encode(
            OutgoingRequest(id: 1, method: M.name, params: message, attachments: AttachmentList()))
    else { return }
    let again = try? params(of: Array(packet.bytes.dropFirst(4))).decode(M.Parameters.self)
    precondition(again == message, "\(M.name) is not what was written")
}

private func params(of frame: [UInt8]) throws -> FrameMember {
    try IncomingFrame.read(frame, limits: WireLimits(), AttachmentList()).params
}
