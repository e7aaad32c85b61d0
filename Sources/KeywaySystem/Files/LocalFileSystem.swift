import CSys

/// File systems that nobody changes behind the kernel's back, as another machine or a program would.
package enum LocalFileSystem {
    /// `f_type` of statfs(2): ext2 to ext4, XFS, Btrfs, tmpfs, ramfs, F2FS, ZFS, bcachefs, overlayfs, SquashFS, EROFS.
    private static let types: Set<UInt32> = [
        0xEF53, 0x5846_5342, 0x9123_683E, 0x0102_1994, 0x8584_58F6, 0xF2F5_2010, 0x2FC1_2FC1, 0xCA45_1A4E, 0x794C_7630,
        0x7371_7368, 0xE0F5_E1E2,
    ]

    /// Whether what is at `path` lies in one.
    package static func holds(_ path: String) -> Bool { types.contains(csys_file_system(path)) }
}
