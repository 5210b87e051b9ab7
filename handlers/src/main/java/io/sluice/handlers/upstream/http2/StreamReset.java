package io.sluice.handlers.upstream.http2;

import io.netty.handler.codec.http2.Http2Error;
import io.sluice.offload.Deadline;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The end of a stream by the endpoint's RST_STREAM (RFC 9113 section 6.4). */
public final class StreamReset extends IOException {
    private static final long serialVersionUID = 1L;
    /** An endpoint that knows the deadline of a request may give up so much earlier than the gateway. */
    private static final long EARLIER_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final @Nullable Http2Error error;

    StreamReset(long code) {
        super("RST_STREAM, " + (Http2Error.valueOf(code) == null ? code : Http2Error.valueOf(code)));
        error = Http2Error.valueOf(code);
    }

    /** Returns the endpoint's reason; null for a code that is not in RFC 9113. */
    public @Nullable Http2Error error() {
        return error;
    }

    /** Returns whether the endpoint gives up by a deadline, which it may have been told. */
    public boolean isBy(Deadline deadline) {
        return error == Http2Error.CANCEL && deadline.remainingNanos() < EARLIER_NANOS;
    }

    /** Returns whether the endpoint has done nothing for the request (RFC 9113 section 8.7). */
    public boolean refuses() {
        return error == Http2Error.REFUSED_STREAM;
    }
}
