package io.sluice.handlers.files;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import java.time.Instant;
import java.util.List;

/** What a request wants to be true of a file, in the order of RFC 9110 section 13.2.2. */
final class Conditions {
    private final HttpHeaders headers;

    /** Those in a request's headers. */
    Conditions(HttpHeaders headers) {
        this.headers = headers;
    }

    /**
     * Whether the client has what it asks for already.
     *
     * @throws HttpException 412 where it wants another state of it
     */
    boolean notModified(Validators state) {
        List<String> match = headers.getAll(HttpHeaderNames.IF_MATCH);
        Instant unmodifiedSince = match.isEmpty() ? date(HttpHeaderNames.IF_UNMODIFIED_SINCE) : null;
        if (!match.isEmpty() && !EntityTags.contain(match, state, false)
                || unmodifiedSince != null && state.lastModified().isAfter(unmodifiedSince)) {
            throw new HttpException(HttpResponseStatus.PRECONDITION_FAILED, "the file is in another state");
        }
        List<String> noneMatch = headers.getAll(HttpHeaderNames.IF_NONE_MATCH);
        if (!noneMatch.isEmpty()) {
            return EntityTags.contain(noneMatch, state, true);
        }
        Instant modifiedSince = date(HttpHeaderNames.IF_MODIFIED_SINCE);
        return modifiedSince != null && !state.lastModified().isAfter(modifiedSince);
    }

    /**
     * The part that is asked for; null for all, as where the client has the rest of another state.
     *
     * @throws HttpException 416 where there is nothing of it
     */
    ByteRange range(Validators state, long size) {
        List<String> only = headers.getAll(HttpHeaderNames.IF_RANGE);
        boolean inThatState = only.isEmpty() || !state.weak() && (only.getFirst().equals(state.opaque())
                || state.lastModified().equals(HttpDates.parse(only.getFirst())));
        return inThatState ? ByteRange.of(headers.getAll(HttpHeaderNames.RANGE), size) : null;
    }

    /** Several are as good as none that can be read. */
    private Instant date(CharSequence name) {
        List<String> values = headers.getAll(name);
        return values.size() == 1 ? HttpDates.parse(values.getFirst()) : null;
    }
}
