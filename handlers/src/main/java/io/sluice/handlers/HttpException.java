package io.sluice.handlers;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.message.CurrentStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An error response, whose detail is sent to the client. */
public final class HttpException extends RuntimeException {
    /** The number of mistakes that a response tells. */
    public static final int MAX_MISTAKES = 32;

    private static final long serialVersionUID = 1L;

    private final transient HttpResponseStatus status;
    private final transient HttpHeaders headers = new DefaultHttpHeaders();
    private final transient List<Mistake> mistakes;
    private final boolean worthRetrying;

    /** Creates an error with a detail such as {@code "ms: abc (expected: 0..10000)"}. */
    public HttpException(HttpResponseStatus status, String detail) {
        this(status, detail, null);
    }

    /** Creates an error with a cause, which is logged and never sent. */
    public HttpException(HttpResponseStatus status, String detail, @Nullable Throwable cause) {
        this(status, detail, List.of(), cause, false);
    }

    private HttpException(HttpResponseStatus status, String detail, List<Mistake> mistakes,
                          @Nullable Throwable cause, boolean worthRetrying) {
        super(detail, cause, false, false);
        this.status = CurrentStatus.of(status);
        this.mistakes = mistakes;
        this.worthRetrying = worthRetrying;
    }

    /** Returns a 503 for a request that may succeed soon. */
    public static HttpException tryAgain(String detail, @Nullable Throwable cause) {
        return new HttpException(HttpResponseStatus.SERVICE_UNAVAILABLE, detail, List.of(), cause, true);
    }

    /** Returns a 400 for a missing or invalid parameter; a null value means missing. */
    public static HttpException badParameter(String name, @Nullable String value, String expected) {
        return badRequest(List.of(Mistake.ofParameter(name,
                Mistake.unexpected(value == null ? "missing" : value, expected))));
    }

    /**
     * Returns a 400. Its detail is the first mistake and the number of further ones; the first 32 are in its
     * {@link #mistakes}.
     *
     * @param mistakes at least one
     */
    public static HttpException badRequest(List<Mistake> mistakes) {
        return badRequest(mistakes, MAX_MISTAKES);
    }

    /**
     * Returns a 400 like {@link #badRequest(List)} that tells more mistakes.
     *
     * @param most the number of mistakes that are told
     */
    public static HttpException badRequest(List<Mistake> mistakes, int most) {
        int more = mistakes.size() - 1;
        String detail = mistakes.getFirst() + (more == 0 ? "" : " (and " + more + " more)");
        return new HttpException(HttpResponseStatus.BAD_REQUEST, detail,
                List.copyOf(mistakes.subList(0, Math.min(mistakes.size(), most))), null, false);
    }

    /** Returns an error that a part of the request has caused, with a detail that begins with that part. */
    public static HttpException causedBy(Mistake mistake, HttpResponseStatus status,
                                         @Nullable Throwable cause) {
        return new HttpException(status, mistake.toString(), List.of(mistake), cause,
                status.equals(HttpResponseStatus.SERVICE_UNAVAILABLE));
    }

    /** Returns this error with a detail that begins with a part of the request. */
    public HttpException within(String part) {
        var error = new HttpException(status, part + ": " + getMessage(), mistakes, getCause(),
                worthRetrying);
        error.headers.add(headers);
        return error;
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

    /** Returns what is wrong with the request, if that is known for its parts. */
    public List<Mistake> mistakes() {
        return mistakes;
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
