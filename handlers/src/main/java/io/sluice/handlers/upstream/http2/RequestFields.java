package io.sluice.handlers.upstream.http2;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValidationUtil;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import io.sluice.handlers.message.FlatHeaders;
import io.sluice.handlers.message.Trailers;
import java.util.Set;

/** Converts requests to fields of HTTP/2 (RFC 9113 section 8.3.1). */
public final class RequestFields {
    /** Fields that differ in each request: in the HPACK table they would evict those that are reused. */
    private static final Set<AsciiString> NOT_REUSED = Set.of(AsciiString.cached("x-request-id"),
            AsciiString.cached("x-request-timeout"), AsciiString.cached("grpc-timeout"),
            AsciiString.cached("x-forwarded-for"), AsciiString.cached("forwarded"),
            AsciiString.cached("traceparent"), HttpHeaderNames.CONTENT_LENGTH,
            // Secrets: a table that clients share could reveal them (RFC 7541 section 7.1).
            HttpHeaderNames.AUTHORIZATION, HttpHeaderNames.COOKIE);

    private RequestFields() {
    }

    /** Returns whether a field must not enter the HPACK table. */
    static boolean isNotReused(CharSequence name) {
        return NOT_REUSED.contains(AsciiString.of(name));
    }

    /** Returns the pseudo-header fields of a request. */
    public static Http2Headers head(HttpMethod method, boolean secure, String authority, String target) {
        return new DefaultHttp2Headers(false, 16).method(method.asciiName())
                .scheme(secure ? "https" : "http").authority(authority).path(target);
    }

    /**
     * Adds fields that are not hop-by-hop.
     *
     * @param length of the body in bytes; no Content-Length is added unless it is positive
     */
    public static void add(FlatHeaders fields, long length, Http2Headers to) {
        for (int i = 0; i < fields.size(); i++) {
            to.add(AsciiString.of(fields.name(i)).toLowerCase(), fields.value(i));
        }
        if (length > 0) {
            to.addLong(HttpHeaderNames.CONTENT_LENGTH, length);
        }
    }

    /** Returns the fields of trailers that may be sent. */
    public static Http2Headers trailers(HttpHeaders trailers) {
        var fields = new DefaultHttp2Headers(false, 4);
        trailers.iteratorCharSequence().forEachRemaining(field -> {
            AsciiString name = AsciiString.of(field.getKey()).toLowerCase();
            if (Trailers.mayHold(name) && !HttpHeaderValidationUtil.isConnectionHeader(name, false)) {
                fields.add(name, field.getValue());
            }
        });
        return fields;
    }
}
