package io.sluice.handlers;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;

/** An error response, whose detail is sent to the client. */
public final class HttpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient HttpResponseStatus status;
    private final transient HttpHeaders headers = new DefaultHttpHeaders();
    private final boolean worthRetrying;

    /** Creates an error with a detail such as {@code "ms: abc (expected: 0..10000)"}. */
    public HttpException(HttpResponseStatus status, String detail) {
        this(status, detail, null);
    }

    /** Creates an error with a cause, which is logged and never sent. */
    public HttpException(HttpResponseStatus status, String detail, @Nullable Throwable cause) {
        this(status, detail, cause, false);
    }

    private HttpException(HttpResponseStatus status, String detail, @Nullable Throwable cause,
                          boolean worthRetrying) {
        super(detail, cause, false, false);
        this.status = status;
        this.worthRetrying = worthRetrying;
    }

    /** Returns a 503 for a request that may succeed soon. */
    public static HttpException tryAgain(String detail, @Nullable Throwable cause) {
        return new HttpException(HttpResponseStatus.SERVICE_UNAVAILABLE, detail, cause, true);
    }

    /** Returns a 400 for a missing or invalid parameter; a null value means missing. */
    public static HttpException badParameter(String name, @Nullable String value, String expected) {
        return new HttpException(HttpResponseStatus.BAD_REQUEST,
                "%s: %s (expected: %s)".formatted(name, value == null ? "missing" : value, expected));
    }

    /** Adds a header to the response, and returns this. */
    public HttpException with(CharSequence name, Object value) {
        headers.add(name, value);
        return this;
    }

    /** Returns the additional headers of the response. */
    public HttpHeaders headers() {
        return headers;
    }

    /** Returns whether the response has a Retry-After. */
    public boolean worthRetrying() {
        return worthRetrying;
    }

    /** Returns the status of the response. */
    public HttpResponseStatus status() {
        return status;
    }
}
