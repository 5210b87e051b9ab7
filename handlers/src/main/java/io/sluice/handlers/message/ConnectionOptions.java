package io.sluice.handlers.message;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;

/** The options of a message's Connection (RFC 9110 section 7.6.1). */
public final class ConnectionOptions {
    /** The largest number of options: that of the header fields of a request, which they name. */
    public static final int MOST = 100;

    private ConnectionOptions() {
    }

    /** Returns whether there are no more than {@link #MOST}. */
    public static boolean areFew(HttpHeaders headers) {
        if (!headers.contains(HttpHeaderNames.CONNECTION)) {
            return true;
        }
        long count = 0;
        for (String line : headers.getAll(HttpHeaderNames.CONNECTION)) {
            count += 1 + line.chars().filter(c -> c == ',').count();
        }
        return count <= MOST;
    }
}
