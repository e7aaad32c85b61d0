import Adwaita
import Glibc
import SheetInterface

/// Opens one sheet after the other and writes a picture of each.
@MainActor
final class Gallery {
    private let folder: String
    private let suffix: String
    private let presenter: SheetPresenter
    private var rest: [(name: String, sheet: Sheet)]
    private var failure: DesktopError?
    private var number = 0

    /// - Parameter only: how the names of the sheets begin; all of them where it is empty.
    init(folder: String, suffix: String, language: SheetLanguage, only: String = "") throws {
        self.folder = folder
        self.suffix = suffix
        presenter = try SheetPresenter(language: language) { _, _ in }
        rest = try Samples(language).sheets.filter { $0.name.hasPrefix(only) }.reversed()
    }

    func run() throws {
        next()
        Desktop.run()
        if let failure { throw failure }
    }

    /// Opens every sheet again and again, and prints how long each took from the call until its first picture was drawn.
    func measure(rounds: Int = 10) {
        var times: [String: [Double]] = [:]
        var turns = (0..<rounds).flatMap { _ in rest.reversed() }
        func turn() {
            guard let (name, sheet) = turns.popLast(), let window = presenter.window?.window else {
                return Desktop.quit()
            }
            number += 1
            let id = SheetID.question(number)
            let start = ContinuousClock.now
            _ = presenter.show(sheet, for: id)
            window.afterNextFrame { [self] in
                times[name, default: []].append((ContinuousClock.now - start) / .milliseconds(1))
                // Once the frame is done; a window is not taken away while it is drawn.
                Desktop.after(milliseconds: 50) {
                    self.presenter.end(id)
                    Desktop.after(milliseconds: 50) { turn() }
                }
            }
        }
        turn()
        Desktop.run()
        for (name, times) in times.sorted(by: { $0.key < $1.key }) {
            let sorted = times.sorted()
            print("\(name): median \(Int(sorted[sorted.count / 2])) ms, worst \(Int(sorted.last ?? 0)) ms")
        }
    }

    private func next() {
        guard let (name, sheet) = rest.popLast(), let window = presenter.window?.window else { return Desktop.quit() }
        number += 1
        let id = SheetID.question(number)
        _ = presenter.show(sheet, for: id)
        picture(of: window, name, tries: 20) { [self] in
            presenter.end(id)
            Desktop.after(milliseconds: 100) { self.next() }
        }
    }

    /// Writes the picture once what moves has come to rest; again later where a busy machine has drawn nothing yet.
    private func picture(of window: Window, _ name: String, tries: Int, then: @escaping @MainActor () -> Void) {
        Desktop.after(milliseconds: 900) { [self] in
            do throws(DesktopError) {
                try window.writePicture(to: "\(folder)/\(name)\(suffix).png")
                then()
            } catch {
                guard tries > 1 else {
                    failure = error
                    return Desktop.quit()
                }
                picture(of: window, name, tries: tries - 1, then: then)
            }
        }
    }
}
