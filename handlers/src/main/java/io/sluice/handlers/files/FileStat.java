package io.sluice.handlers.files;

import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/**
 * Identifies a file and its state, to detect that another file has replaced it. A file system gives the inode
 * of a deleted file to the next one, which may have the same size and, if a build sets it, the same
 * modification time; but its creation time is later.
 *
 * @param size in bytes
 * @param changed the modification time of its content
 * @param created the creation time; the modification time if the file system has none
 * @param key its inode and device
 */
record FileStat(long size, FileTime changed, FileTime created, Object key) {

    static FileStat of(BasicFileAttributes attributes) {
        return new FileStat(attributes.size(), attributes.lastModifiedTime(), attributes.creationTime(),
                attributes.fileKey());
    }
}
