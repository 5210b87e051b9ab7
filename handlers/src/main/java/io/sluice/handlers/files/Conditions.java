package io.sluice.handlers.files;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Evaluates the preconditions of a request, in the order of RFC 9110 section 13.2.2. */
public final class Conditions {
    private final HttpHeaders headers;

    /** Takes the conditions from the headers of a request. */
    public Conditions(HttpHeaders headers) {
        this.headers = headers;
    }

    /**
     * Returns whether the client has the current state, for a 304.
     *
     * @throws HttpException 412 if a precondition fails
     */
    public boolean notModified(Validators state) {
        List<String> match = headers.getAll(HttpHeaderNames.IF_MATCH);
        Instant unmodifiedSince = match.isEmpty() ? date(HttpHeaderNames.IF_UNMODIFIED_SINCE) : null;
        if (!match.isEmpty() && !EntityTags.contain(match, state, false)
                || unmodifiedSince != null && state.isModifiedSince(unmodifiedSince)) {
            throw new HttpException(HttpResponseStatus.PRECONDITION_FAILED,
                    "the resource is not in the state that the request expects");
        }
        List<String> noneMatch = headers.getAll(HttpHeaderNames.IF_NONE_MATCH);
        if (!noneMatch.isEmpty()) {
            return EntityTags.contain(noneMatch, state, true);
        }
        Instant modifiedSince = date(HttpHeaderNames.IF_MODIFIED_SINCE);
        return modifiedSince != null && state.lastModified() != null && !state.isModifiedSince(modifiedSince);
    }

    /**
     * Returns the requested range; null for the whole file, also if If-Range is for another state.
     *
     * @throws HttpException 416 if the file has no byte of the range
     */
    @Nullable ByteRange range(Validators state, long size) {
        List<String> only = headers.getAll(HttpHeaderNames.IF_RANGE);
        Instant lastModified = state.lastModified();
        boolean inThatState = only.isEmpty() || !state.weak() && (only.getFirst().equals(state.opaque())
                || lastModified != null && lastModified.equals(HttpDates.parse(only.getFirst())));
        return inThatState ? ByteRange.of(headers.getAll(HttpHeaderNames.RANGE), size) : null;
    }

    /** Several fields, or an invalid date, are ignored. */
    private @Nullable Instant date(CharSequence name) {
        List<String> values = headers.getAll(name);
        return values.size() == 1 ? HttpDates.parse(values.getFirst()) : null;
    }
}
