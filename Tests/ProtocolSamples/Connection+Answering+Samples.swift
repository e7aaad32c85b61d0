package import AutoFillWire
import KeywaySystem
import Synchronization

extension CancelRequest: DocumentedNotification {
    package static let summary = "Withdraws a request of the same connection; it is then answered with `cancelled`."
    package static var sample: Parameters { Parameters(id: 7) }
}
