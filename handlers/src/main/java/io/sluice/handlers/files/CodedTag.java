package io.sluice.handlers.files;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;

/**
 * Strong entity tags of responses that are compressed on their way, such as {@code "3;gzip"}. A strong tag
 * stands for one encoding (RFC 9110 section 8.8.3.3), so compression makes it weak. But If-Match takes strong
 * ones only.
 */
public final class CodedTag {
    private static final String WEAK = "W/";

    private CodedTag() {
    }

    /** Returns the tag of a representation in a coding; null without one of them. */
    static @Nullable String of(String tag, @Nullable String coding) {
        return coding == null || tag.isEmpty() ? null
                : tag.substring(0, tag.length() - 1) + ';' + coding + '"';
    }

    /**
     * Makes the tag of a response strong again: that of its coding, or for a 304 the one that the request
     * names (RFC 9110 section 15.4.5). On the event loop.
     *
     * @param selected the coding that the request selects; null for none
     */
    public static void strengthen(HttpHeaders request, @Nullable String selected, HttpResponse response) {
        HttpHeaders headers = response.headers();
        String tag = headers.get(HttpHeaderNames.ETAG);
        if (tag == null) {
            return;
        }
        boolean notModified = response.status().equals(HttpResponseStatus.NOT_MODIFIED);
        String strong = tag.startsWith(WEAK) ? tag.substring(WEAK.length()) : tag;
        String coded = of(strong, notModified ? selected : headers.get(HttpHeaderNames.CONTENT_ENCODING));
        boolean isCoded = coded != null && (notModified ? names(request, coded) : !strong.equals(tag));
        if (isCoded || notModified) {
            headers.set(HttpHeaderNames.ETAG, isCoded ? coded : strong);
        }
    }

    private static boolean names(HttpHeaders request, String tag) {
        return request.getAll(HttpHeaderNames.IF_NONE_MATCH).stream().anyMatch(tags -> tags.contains(tag));
    }
}
