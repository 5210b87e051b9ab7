package io.sluice.handlers;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;

/** An answer with an error status whose detail the client may read. */
public final class HttpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient HttpResponseStatus status;
    private final transient HttpHeaders headers = new DefaultHttpHeaders();
    private final boolean worthRetrying;

    /** An error with a detail such as {@code "ms: abc (expected: 0..10000)"}. */
    public HttpException(HttpResponseStatus status, String detail) {
        this(status, detail, null);
    }

    /** An error with a cause, which is logged and never sent. */
    public HttpException(HttpResponseStatus status, String detail, Throwable cause) {
        this(status, detail, cause, false);
    }

    private HttpException(HttpResponseStatus status, String detail, Throwable cause, boolean worthRetrying) {
        super(detail, cause, false, false);
        this.status = status;
        this.worthRetrying = worthRetrying;
    }

    /** 503 for something that may work when it is tried again soon. */
    public static HttpException tryAgain(String detail, Throwable cause) {
        return new HttpException(HttpResponseStatus.SERVICE_UNAVAILABLE, detail, cause, true);
    }

    /** 400 for a parameter that is not what it should be. */
    public static HttpException badParameter(String name, String value, String expected) {
        return new HttpException(HttpResponseStatus.BAD_REQUEST,
                "%s: %s (expected: %s)".formatted(name, value == null ? "missing" : value, expected));
    }

    /** The same with one more header in the answer. */
    public HttpException with(CharSequence name, Object value) {
        headers.add(name, value);
        return this;
    }

    /** What the answer's head has beside the usual. */
    public HttpHeaders headers() {
        return headers;
    }

    /** Whether the answer says when to come back. */
    public boolean worthRetrying() {
        return worthRetrying;
    }

    /** The status to answer with. */
    public HttpResponseStatus status() {
        return status;
    }
}
