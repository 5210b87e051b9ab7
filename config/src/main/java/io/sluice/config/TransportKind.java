package io.sluice.config;

import java.util.Locale;

/** The Netty transport: {@code server.transport}. */
public enum TransportKind {
    /** Epoll or kqueue if it loads, else NIO. */
    AUTO,
    /** Java NIO, which runs on all systems. */
    NIO,
    /** Linux. */
    EPOLL,
    /** Linux 5.14 and newer, unless it is forbidden there. */
    IO_URING,
    /** macOS. */
    KQUEUE;

    /** Returns the name in lower case; io_uring keeps its underscore. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
