package io.sluice.offload;

import java.io.FileInputStream;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Detects that a failure comes from a lack of file descriptors, memory, threads or ports on this host. Such a
 * failure says nothing about the peer.
 */
public final class LocalShortage {
    /** The largest depth of causes to examine, as they may form a cycle. */
    private static final int DEPTH = 20;
    /** The C library's message of EADDRNOTAVAIL: no local port, or address, is left for that of the peer. */
    private static final String NO_PORT = "Cannot assign requested address";
    /**
     * The messages of EMFILE, ENFILE (the same with more text after it), ENOBUFS, ENOMEM and EADDRNOTAVAIL.
     */
    private static final List<String> MESSAGES = List.of("Too many open files", "No buffer space available",
            "Cannot allocate memory", NO_PORT);
    private static final String ANY_FILE = "/dev/null";

    private LocalShortage() {
    }

    /** Returns whether a failure, or one of its causes, is a shortage of this host. */
    public static boolean is(@Nullable Throwable failure) {
        return hasCause(failure, cause -> cause instanceof OutOfMemoryError
                || cause instanceof IOException io && isShortage(io));
    }

    /** Returns whether a connection to another address of the peer may be possible all the same. */
    public static boolean isOfAddress(@Nullable Throwable failure) {
        return hasCause(failure, cause -> cause instanceof IOException io
                && String.valueOf(io.getMessage()).contains(NO_PORT));
    }

    private static boolean hasCause(@Nullable Throwable failure, Predicate<Throwable> wanted) {
        Throwable cause = failure;
        for (int i = 0; i < DEPTH && cause != null; i++) {
            if (wanted.test(cause)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /**
     * Only messages of I/O errors count: a database may report its own lack of descriptors in an SQL error.
     */
    private static boolean isShortage(IOException failure) {
        return tellsOfShortage(failure) || failure instanceof UnknownHostException && lacksDescriptors();
    }

    private static boolean tellsOfShortage(IOException failure) {
        String message = String.valueOf(failure.getMessage());
        return MESSAGES.stream().anyMatch(message::contains);
    }

    /**
     * Resolving a name needs files and sockets, but the resolver's exception does not report a lack of them.
     */
    private static boolean lacksDescriptors() {
        try (var _ = new FileInputStream(ANY_FILE)) {
            return false;
        } catch (IOException e) {
            return tellsOfShortage(e);
        }
    }
}
