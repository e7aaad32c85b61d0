// Pictures of every kind of sheet: for Docs/screenshots, and for whoever changes how they look.
//
//   sheet-gallery FOLDER [--dark] [--language TAG] [--suffix TEXT] [--only BEGINNING]
//   sheet-gallery FOLDER --measure      how long each takes to open, and no pictures
//
// The scale is that of the display (GDK_SCALE).
import Adwaita
import Glibc
import SheetInterface

let arguments = Array(CommandLine.arguments.dropFirst())

func value(of option: String) -> String? {
    arguments.firstIndex(of: option).flatMap { arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil }
}

guard let folder = arguments.first, !folder.hasPrefix("-") else {
    print("usage: sheet-gallery FOLDER [--dark] [--language TAG] [--suffix TEXT] [--only BEGINNING]")
    exit(64)
}
do {
    let tag = value(of: "--language") ?? "en"
    let language = SheetLanguage(environment: ["LANG": "\(tag).UTF-8"])
    try Desktop.start(identifier: "org.keyway.Sheets")
    Desktop.setColorScheme(arguments.contains("--dark") ? .dark : .light)
    let gallery = try Gallery(
        folder: folder, suffix: value(of: "--suffix") ?? "", language: language,
        only: value(of: "--only") ?? "")
    if arguments.contains("--measure") { gallery.measure() } else { try gallery.run() }
} catch {
    print("sheet-gallery: \(error)")
    exit(1)
}
