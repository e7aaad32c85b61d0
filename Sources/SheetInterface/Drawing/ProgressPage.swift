import Adwaita
import AutoFillProtocol

/// Something that takes a while.
@MainActor
final class ProgressPage {
    private let spinner: Spinner
    private let title: Label
    private let bar: ProgressBar
    private let text: Label

    init(_ file: InterfaceFile) throws(DesktopError) {
        spinner = try file.object("progress-spinner")
        title = try file.object("progress-title")
        bar = try file.object("progress-bar")
        text = try file.object("progress-text")
    }

    func show(_ progress: InterfaceProgress) {
        title.text = progress.title
        text.text = progress.text ?? ""
        text.isVisible = progress.text != nil
        bar.isVisible = progress.fraction != nil
        bar.fraction = progress.fraction ?? 0
        bar.setAccessibleName(progress.title)
        spinner.isVisible = progress.fraction == nil
        spinner.isSpinning = progress.fraction == nil
        spinner.setAccessibleName(progress.title)
    }
}
