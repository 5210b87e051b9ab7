package io.sluice.handlers.message;

import io.netty.handler.codec.http.HttpResponseStatus;

/** Statuses with the reason phrases of RFC 9110 section 15.5; Netty has earlier ones for four. */
public final class CurrentStatus {
    private static final HttpResponseStatus CONTENT_TOO_LARGE =
            new HttpResponseStatus(413, "Content Too Large");
    private static final HttpResponseStatus URI_TOO_LONG = new HttpResponseStatus(414, "URI Too Long");
    private static final HttpResponseStatus RANGE_NOT_SATISFIABLE =
            new HttpResponseStatus(416, "Range Not Satisfiable");
    private static final HttpResponseStatus UNPROCESSABLE_CONTENT =
            new HttpResponseStatus(422, "Unprocessable Content");

    private CurrentStatus() {
    }

    /** Returns the status of a code. */
    public static HttpResponseStatus of(int code) {
        return of(HttpResponseStatus.valueOf(code));
    }

    /** Returns a status with its current reason phrase. */
    public static HttpResponseStatus of(HttpResponseStatus status) {
        return switch (status.code()) {
            case 413 -> CONTENT_TOO_LARGE;
            case 414 -> URI_TOO_LONG;
            case 416 -> RANGE_NOT_SATISFIABLE;
            case 422 -> UNPROCESSABLE_CONTENT;
            default -> status;
        };
    }
}
