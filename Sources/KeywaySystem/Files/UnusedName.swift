import CSys
import Glibc

/// Names that no other file has.
package enum UnusedName {
    /// Gives the file `temporary` the name `path`, and takes no other file's place, whoever made that meanwhile.
    ///
    /// - Returns: false when it could not; `errno` says why then: `EEXIST` where there is something. The file may have its
    ///   old name still, beside the new one.
    package static func take(_ path: String, for temporary: String) -> Bool {
        if link(temporary, path) == 0 { return true }
        // File systems of sticks and cards know no second name of a file.
        return errno != EEXIST && csys_rename_new(temporary, path) == 0
    }
}
