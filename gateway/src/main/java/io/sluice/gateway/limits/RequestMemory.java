package io.sluice.gateway.limits;

import io.netty.handler.codec.http.HttpRequest;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.message.FlatHeaders;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The heap that requests may occupy together besides their connections: an eighth, for heads that are large,
 * from their first byte to the end of the request, and for streams of HTTP/2. Without this bound, a few
 * thousand connections with unfinished heads or bodies fill a small heap faster than {@link HeapMemory}
 * notices. Thread-safe.
 */
public final class RequestMemory {
    /** The size of a head, in bytes, up to which it does not count. */
    public static final int SMALL = 4 * 1024;
    /** The bytes for which a stream counts. */
    private static final int STREAM = 2 * 1024;
    private static final long LIMIT = Runtime.getRuntime().maxMemory() / 8;
    private static final AtomicLong TAKEN = new AtomicLong();

    private RequestMemory() {
    }

    /**
     * Counts the head of a request, if it is large.
     *
     * @return the number of bytes that were counted, to be given back
     * @throws HttpException 503 if there is no room for it
     */
    public static int take(HttpRequest head) {
        var fields = (FlatHeaders) head.headers();
        int bytes = head.uri().length();
        for (int i = 0; i < fields.size(); i++) {
            bytes += fields.name(i).length() + fields.value(i).length();
        }
        if (bytes <= SMALL) {
            return 0;
        }
        if (!tryTake(bytes)) {
            throw refusal();
        }
        return bytes;
    }

    /**
     * Counts bytes of a large head that is incomplete, to be given back.
     *
     * @return whether there is room for them; else they are not counted
     */
    public static boolean tryTake(int bytes) {
        if (TAKEN.addAndGet(bytes) <= LIMIT) {
            return true;
        }
        TAKEN.addAndGet(-bytes);
        return false;
    }

    /** Gives back bytes that were counted. */
    public static void giveBack(int bytes) {
        if (bytes > 0) {
            TAKEN.addAndGet(-bytes);
        }
    }

    /** Returns whether there is room for another stream. */
    public static boolean hasRoomForStream() {
        return TAKEN.get() + STREAM <= LIMIT;
    }

    /** Counts a stream that has been opened. */
    public static void streamOpened() {
        TAKEN.addAndGet(STREAM);
    }

    /** Counts a stream no longer. */
    public static void streamClosed() {
        TAKEN.addAndGet(-STREAM);
    }

    /** Returns the refusal of a request for whose head there is no room. */
    public static HttpException refusal() {
        return HttpException.tryAgain("the gateway is short of memory for header fields", null);
    }
}
