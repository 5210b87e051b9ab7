package io.sluice.handlers.files;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import io.sluice.offload.RareWarning;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the files below a directory, and no others. All methods block.
 *
 * <p>A request's path is resolved like by the kernel, links included, and the result must be below the
 * directory. The file is then opened from directory to directory (openat) without following links, so that a
 * link created in between is refused. Only regular files are opened, since opening a FIFO waits for its
 * writer.
 */
final class FileTree {
    private static final Logger log = LoggerFactory.getLogger(FileTree.class);
    /** A file may be replaced between its resolution and its opening. */
    private static final int TRIES = 3;
    /** The system's messages, in its language, for a path through a file and for one that is too long. */
    private static final Set<String> LEADING_NOWHERE = Stream.of("/dev/null/a", "a".repeat(10_000))
            .map(FileTree::obstacle).collect(Collectors.toUnmodifiableSet());
    /** The end of the JDK's message for a loop of links. */
    private static final String LOOP = "attributes of symbolic link";
    private static final RareWarning WARNING = new RareWarning();

    private final Path directory;
    private final String index;

    /**
     * Creates a tree. Its directory may be missing, and come back.
     *
     * @param index the name of the file that is served for a directory; empty for none
     */
    FileTree(Path directory, String index) {
        this.directory = directory;
        this.index = index;
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
            if (WARNING.tryTake()) {
                log.warn("404, as this process may not read a file or a directory above it: {}",
                        e.getMessage());
            }
            throw notFound(e);
        } catch (IOException e) {
            throw HttpException.tryAgain("the file cannot be opened now", e);
        }
    }

    private Path resolve(Path root, RequestedPath requested) throws IOException {
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
        } catch (InvalidPathException e) {
            throw notFound(e);
        } catch (IOException e) {
            if (leadsNowhere(e)) {
                throw notFound(e);
            }
            throw e;
        }
    }

    /** Returns whether a path has no file for its name, in contrast to a failure of the file system. */
    static boolean leadsNowhere(IOException obstacle) {
        String reason = reason(obstacle);
        return obstacle instanceof NoSuchFileException || LEADING_NOWHERE.contains(reason)
                || reason.endsWith(LOOP);
    }

    private static String obstacle(String path) {
        try {
            return Path.of(path).toRealPath().toString();
        } catch (IOException e) {
            return reason(e);
        }
    }

    private static String reason(IOException obstacle) {
        String reason = obstacle instanceof FileSystemException of ? of.getReason() : null;
        return reason == null ? obstacle.toString() : reason;
    }

    private static HttpException notFound(@Nullable Exception cause) {
        return new HttpException(HttpResponseStatus.NOT_FOUND, "no such file", cause);
    }

    /** Opens a file, with two directories open at most, each of which takes two descriptors. */
    @SuppressWarnings("StreamResourceLeak") // each is closed as soon as the next one is open
    private static @Nullable OpenFile open(Path root, Path real) throws IOException {
        if (real.equals(root)) {
            return null;
        }
        Path way = root.relativize(real);
        var at = (SecureDirectoryStream<Path>) Files.newDirectoryStream(root);
        try {
            for (int i = 0; i < way.getNameCount() - 1; i++) {
                try (var above = at) {
                    at = above.newDirectoryStream(way.getName(i), LinkOption.NOFOLLOW_LINKS);
                }
            }
            return openHere(at, way.getFileName());
        } finally {
            at.close();
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
