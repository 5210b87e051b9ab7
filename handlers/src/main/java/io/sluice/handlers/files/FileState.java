package io.sluice.handlers.files;

import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/**
 * Tells a file from another that has got its name since. A file system gives the inode of a deleted file to
 * the next one, which may have the same size and, where a build sets it, the same time of change: but it was
 * created later.
 *
 * @param size in bytes
 * @param changed when its content was
 * @param created where the file system says so; else the time of change
 * @param key its inode and device
 */
record FileState(long size, FileTime changed, FileTime created, Object key) {

    static FileState of(BasicFileAttributes attributes) {
        return new FileState(attributes.size(), attributes.lastModifiedTime(), attributes.creationTime(),
                attributes.fileKey());
    }
}
