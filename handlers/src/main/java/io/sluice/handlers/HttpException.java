package io.sluice.handlers;

import io.netty.handler.codec.http.HttpResponseStatus;

/** An answer with an error status whose detail the client may read. */
public final class HttpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient HttpResponseStatus status;

    /** An error with a detail such as {@code "ms: abc (expected: 0..10000)"}. */
    public HttpException(HttpResponseStatus status, String detail) {
        this(status, detail, null);
    }

    /** An error with a cause, which is logged and never sent. */
    public HttpException(HttpResponseStatus status, String detail, Throwable cause) {
        super(detail, cause, false, false);
        this.status = status;
    }

    /** 400 for a parameter that is not what it should be. */
    public static HttpException badParameter(String name, String value, String expected) {
        return new HttpException(HttpResponseStatus.BAD_REQUEST,
                "%s: %s (expected: %s)".formatted(name, value == null ? "missing" : value, expected));
    }

    /** The status to answer with. */
    public HttpResponseStatus status() {
        return status;
    }
}
