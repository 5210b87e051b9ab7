package io.sluice.offload;

import java.io.FileInputStream;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Detects that a failure comes from a lack of file descriptors, memory or threads in this process. Such a
 * failure says nothing about the peer.
 */
public final class LocalShortage {
    /** The largest depth of causes to examine, as they may form a cycle. */
    private static final int DEPTH = 20;
    /** The C library's messages of EMFILE, ENFILE (the same with more text behind it) and ENOBUFS. */
    private static final List<String> MESSAGES = List.of("Too many open files", "No buffer space available");
    private static final String ANY_FILE = "/dev/null";

    private LocalShortage() {
    }

    /** Returns whether a failure, or one of its causes, is a shortage of this process. */
    public static boolean is(@Nullable Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < DEPTH && cause != null; i++) {
            if (cause instanceof OutOfMemoryError || cause instanceof IOException io && isShortage(io)) {
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
