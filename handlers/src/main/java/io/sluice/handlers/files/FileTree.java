package io.sluice.handlers.files;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Opens the files below a directory, and no others. All methods block.
 *
 * <p>A request's path is resolved like by the kernel, links included, and the result must be below the
 * directory. The file is then opened from directory to directory (openat) without following links, so that a
 * link created in between is refused. Only regular files are opened, since opening a FIFO waits for its
 * writer.
 */
final class FileTree {
    /** A file may be replaced between its resolution and its opening. */
    private static final int TRIES = 3;

    private final Path directory;
    private final String index;

    /**
     * Creates a tree.
     *
     * @param index the name of the file that is served for a directory; empty for none
     * @throws IOException if the directory cannot be read, or this system has no openat
     */
    FileTree(Path directory, String index) throws IOException {
        this.directory = directory;
        this.index = index;
        try (DirectoryStream<Path> opened = Files.newDirectoryStream(directory)) {
            if (!(opened instanceof SecureDirectoryStream)) {
                throw new IOException("this system opens no files relative to a directory");
            }
        }
    }

    /**
     * Opens a file.
     *
     * @return owned by the caller; null for a directory that was requested without a slash
     * @throws HttpException 404 if the file does not exist or is not served; 503 if it cannot be opened
     */
    @Nullable OpenFile open(RequestedPath requested) {
        try {
            for (int i = 0; i < TRIES; i++) {
                Path root = directory.toRealPath();
                Path real = resolve(root, requested);
                try {
                    OpenFile file = open(root, real);
                    if (file == null && (requested.directory() || index.isEmpty())) {
                        throw notFound(null);
                    }
                    return file;
                } catch (NoSuchFileException | NotDirectoryException _) {
                    // Replaced: try again.
                }
            }
            throw HttpException.tryAgain("the file is being replaced", null);
        } catch (AccessDeniedException e) {
            throw notFound(e);
        } catch (IOException e) {
            throw HttpException.tryAgain("the file cannot be opened now", e);
        }
    }

    private Path resolve(Path root, RequestedPath requested) {
        if (requested.directory() && index.isEmpty()) {
            throw notFound(null);
        }
        try {
            Path path = root;
            for (String name : requested.names()) {
                path = path.resolve(name);
            }
            Path real = (requested.directory() ? path.resolve(index) : path).toRealPath();
            if (!real.startsWith(root)) {
                throw notFound(null);
            }
            return real;
        } catch (InvalidPathException | IOException e) {
            throw notFound(e);
        }
    }

    private static HttpException notFound(@Nullable Exception cause) {
        return new HttpException(HttpResponseStatus.NOT_FOUND, "no such file", cause);
    }

    private static @Nullable OpenFile open(Path root, Path real) throws IOException {
        if (real.equals(root)) {
            return null;
        }
        try (var at = Files.newDirectoryStream(root)) {
            return walk((SecureDirectoryStream<Path>) at, root.relativize(real));
        }
    }

    private static @Nullable OpenFile walk(SecureDirectoryStream<Path> at, Path rest) throws IOException {
        int names = rest.getNameCount();
        if (names == 1) {
            return openHere(at, rest);
        }
        try (var below = at.newDirectoryStream(rest.getName(0), LinkOption.NOFOLLOW_LINKS)) {
            return walk(below, rest.subpath(1, names));
        }
    }

    private static @Nullable OpenFile openHere(SecureDirectoryStream<Path> at, Path name) throws IOException {
        var view = at.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
        BasicFileAttributes found = view.readAttributes();
        if (found.isDirectory()) {
            return null;
        }
        if (!found.isRegularFile()) {
            throw notFound(null);
        }
        var channel = (FileChannel) at.newByteChannel(name,
                Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        try {
            // Ensures that the attributes are those of the opened file, not of one that has taken its name or
            // inode.
            FileStat state = FileStat.of(view.readAttributes());
            if (!state.equals(FileStat.of(found)) || state.size() != channel.size()) {
                throw new NoSuchFileException(name.toString());
            }
            return new OpenFile(channel, state);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }
}
