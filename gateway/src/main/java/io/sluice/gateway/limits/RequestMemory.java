package io.sluice.gateway.limits;

import io.netty.handler.codec.http.HttpRequest;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.message.FlatHeaders;
import io.sluice.offload.RareWarning;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A part of the heap for requests. Without this bound, a few thousand connections with large heads and
 * without the rest of their requests fill a small heap faster than {@link HeapMemory} notices. Thread-safe.
 */
public final class RequestMemory {
    /** For large heads of HTTP/1 that are incomplete: an eighth of the heap. */
    public static final RequestMemory UNFINISHED = new RequestMemory(8, "unfinished heads of requests");
    /** For streams of HTTP/2, and for large heads of HTTP/1 until their requests end: an eighth. */
    public static final RequestMemory RUNNING = new RequestMemory(8, "heads of requests and HTTP/2 streams");
    /** The size of a head of HTTP/1, in bytes, up to which it does not count. */
    public static final int SMALL = 4 * 1024;
    /** The bytes of the objects for a header field, besides its text. */
    public static final int FIELD = 100;
    /** The bytes of a stream besides its head. */
    public static final int STREAM = 2 * 1024;

    private static final Logger log = LoggerFactory.getLogger(RequestMemory.class);

    private final String what;
    private final long limit;
    private final AtomicLong taken = new AtomicLong();
    private final RareWarning warnings = new RareWarning();

    private RequestMemory(int part, String what) {
        this.what = what;
        limit = Runtime.getRuntime().maxMemory() / part;
    }

    /** Returns the bytes for which the head of an HTTP/1 request counts: 0 if it is small. */
    public static int ofHead(HttpRequest head) {
        var fields = (FlatHeaders) head.headers();
        int bytes = head.uri().length();
        for (int i = 0; i < fields.size(); i++) {
            bytes += fields.name(i).length() + fields.value(i).length() + FIELD;
        }
        return bytes <= SMALL ? 0 : bytes;
    }

    /**
     * Counts bytes if there is room for them.
     *
     * @return whether they are counted, and must be given back
     */
    public boolean tryTake(int bytes) {
        if (taken.addAndGet(bytes) <= limit) {
            return true;
        }
        giveBack(bytes);
        if (warnings.tryTake()) {
            log.warn("{} take {} MiB of the heap, the most that they may (-Xmx): further ones are refused",
                    what, limit >> 20);
        }
        return false;
    }

    /** Counts the bytes of a head, of a small one in any case; else as {@link #tryTake}. */
    public boolean tryTakeHead(int bytes) {
        if (bytes > SMALL) {
            return tryTake(bytes);
        }
        take(bytes);
        return true;
    }

    /** Counts bytes in any case. */
    public void take(int bytes) {
        if (bytes > 0) { // few are counted, and all threads share the counter
            taken.addAndGet(bytes);
        }
    }

    /** Gives back bytes that were counted. */
    public void giveBack(int bytes) {
        if (bytes > 0) {
            taken.addAndGet(-bytes);
        }
    }

    /** Returns the refusal of a request for whose head there is no room. */
    public static HttpException refusal() {
        return HttpException.tryAgain("the gateway is short of memory for header fields", null);
    }
}
