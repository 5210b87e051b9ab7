package io.sluice.config;

import java.util.Locale;

/** What sockets are made of: {@code server.transport}. */
public enum TransportKind {
    /** The best of those that load. */
    AUTO,
    /** Java's own, which runs everywhere. */
    NIO,
    /** For Linux. */
    EPOLL,
    /** For Linux 5.14 and newer, where that is not forbidden. */
    IO_URING,
    /** For macOS. */
    KQUEUE;

    /** As it is written everywhere, io_uring with its underscore. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
