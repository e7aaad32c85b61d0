import Benchmarking
import Glibc
import KeywaySystem

/// The sample items as another program exports them.
struct ExportFile {
    /// What is written.
    enum Form: String {
        case xml, csv, cxf
    }

    let items: SampleItems
    private let form: Form

    init(_ items: SampleItems, _ form: Form) {
        self.items = items
        self.form = form
    }

    /// Writes the file into a folder.
    ///
    /// - Returns: its path.
    func write(into folder: String) throws -> String {
        let path = "\(folder)/export.\(form.rawValue)"
        guard let file = fopen(path, "w") else { throw ProtocolError.system("fopen", errno) }
        defer { fclose(file) }
        switch form {
        case .xml: KeePassXC.write(items, to: file)
        case .csv:
            fputs("name,url,username,password,note\n", file)
            for index in 0..<items.count {
                fputs(
                    "\(items.title(index)),\(items.address(index)),\(items.user(index)),\(items.password(index)),\n",
                    file)
            }
        case .cxf: writeDocument(to: file)
        }
        return path
    }

    private func writeDocument(to file: UnsafeMutablePointer<FILE>) {
        fputs(
            #"{"version":{"major":1,"minor":0},"exporterRpId":"example.org","exporterDisplayName":"Example","#
                + #""timestamp":1795000000,"accounts":[{"id":"AA","username":"","email":"","collections":[],"items":["#,
            file)
        for index in 0..<items.count {
            let login =
                #"{"type":"basic-auth","username":{"fieldType":"string","value":"\#(items.user(index))"},"#
                + #""password":{"fieldType":"concealed-string","value":"\#(items.password(index))"}}"#
            fputs(
                (index > 0 ? "," : "")
                    + #"{"id":"\#(SampleItems.number(index))AA","creationAt":1700000000,"modifiedAt":1700000000,"#
                    + #""title":"\#(items.title(index))","scope":{"urls":["\#(items.address(index))"],"androidApps":[]},"#
                    + #""credentials":[\#(login)]}"# + "\n", file)
        }
        fputs("]}]}\n", file)
    }
}
