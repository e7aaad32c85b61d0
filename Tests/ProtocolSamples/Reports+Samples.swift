package import AutoFillProtocol
package import AutoFillWire
import FoundationEssentials

extension ReportCredential: DocumentedMethod {
    package static let summary =
        "Tells the providers that take reports what became of a credential. The answer says nothing."
    package static var sample: (parameters: Parameters, result: Nothing) {
        (Parameters(report: .passwordUnused(domain: "example.com", userName: "ada")), Nothing())
    }
}
