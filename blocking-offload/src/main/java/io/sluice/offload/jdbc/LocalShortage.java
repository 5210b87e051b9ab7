package io.sluice.offload.jdbc;

import java.io.FileInputStream;
import java.io.IOException;
import java.net.UnknownHostException;
import java.util.List;

/**
 * A lack of descriptors, memory or threads in this process, as told from a failure that it has caused. It
 * says nothing of what the process was about to talk to.
 */
public final class LocalShortage {
    /** Causes of causes that are looked at: two of them may be each other's. */
    private static final int DEPTH = 20;
    /** EMFILE, ENFILE (the same with more behind it) and ENOBUFS, as the C library tells them. */
    private static final List<String> MESSAGES = List.of("Too many open files", "No buffer space available");
    private static final String ANY_FILE = "/dev/null";

    private LocalShortage() {
    }

    /** Tells whether a failure, or a cause of it, is a shortage of this process. */
    public static boolean is(Throwable failure) {
        Throwable cause = failure;
        for (int i = 0; i < DEPTH && cause != null; i++) {
            if (cause instanceof OutOfMemoryError || cause instanceof IOException io && isShortage(io)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }

    /** Messages of network and file errors alone: a database may lack descriptors, too, and says so. */
    private static boolean isShortage(IOException failure) {
        return tellsOfShortage(failure) || failure instanceof UnknownHostException && lacksDescriptors();
    }

    private static boolean tellsOfShortage(IOException failure) {
        String message = String.valueOf(failure.getMessage());
        return MESSAGES.stream().anyMatch(message::contains);
    }

    /** Names are looked up in files and over sockets; what these lack is not told. */
    private static boolean lacksDescriptors() {
        try (var _ = new FileInputStream(ANY_FILE)) {
            return false;
        } catch (IOException e) {
            return tellsOfShortage(e);
        }
    }
}
