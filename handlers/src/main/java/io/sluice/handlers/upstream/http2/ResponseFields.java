package io.sluice.handlers.upstream.http2;

import io.netty.handler.codec.http.HttpHeaderValidationUtil;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import io.sluice.handlers.message.FlatHeaders;
import io.sluice.handlers.message.HeaderField;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a response or of its trailers while they are decoded. A malformed one (RFC 9113 sections 8.2
 * and 8.3.2) is reported by an {@link IllegalArgumentException}, which the HPACK decoder turns into an error
 * of the stream.
 */
public final class ResponseFields extends DefaultHttp2Headers {
    /** The largest size of a response's header list, as SETTINGS_MAX_HEADER_LIST_SIZE counts. */
    static final long MAX_BYTES = 64 * 1024;
    /** The largest size of an encoded header block that is decoded, if only to keep HPACK's table. */
    private static final long MAX_ENCODED = 4 * MAX_BYTES;
    private static final AsciiString GRPC_MESSAGE = AsciiString.cached("grpc-message");

    private final FlatHeaders fields = new FlatHeaders(8);
    private @Nullable HttpResponseStatus code;
    /** A pseudo-field of a request; null for none. */
    private @Nullable CharSequence ofRequest;

    private ResponseFields() {
        super(false, 2);
    }

    /** Decodes header blocks. */
    static final class Decoder extends DefaultHttp2HeadersDecoder {
        Decoder() {
            super(false, MAX_BYTES);
        }

        @Override
        protected Http2Headers newHeaders() {
            return new ResponseFields();
        }

        /** Returns the size beyond which a block ends the connection: a smaller one fails its stream only. */
        @Override
        public long maxHeaderListSizeGoAway() {
            return MAX_ENCODED;
        }
    }

    /** Returns the fields but {@code :status}, in the order of their arrival. */
    public FlatHeaders fields() {
        return fields;
    }

    /** Returns the status; null if it is missing, as in trailers. */
    public @Nullable HttpResponseStatus code() {
        return code;
    }

    /** Returns whether these are the fields of a response (1xx) that precedes the final one. */
    public boolean isInformational() {
        return code != null && code.codeClass() == HttpStatusClass.INFORMATIONAL;
    }

    /**
     * Returns how the fields violate RFC 9113 section 8.1 at their place in a response; null if they do not.
     *
     * @param begun whether they come after the head
     * @param end whether they end the response
     */
    public @Nullable String flaw(boolean begun, boolean end) {
        if (ofRequest != null) {
            return "a field of requests: " + ofRequest;
        }
        if (begun) {
            return code != null || !end ? "fields within the body" : null;
        }
        if (code == null) {
            return "no :status";
        }
        return !isInformational() ? null : end ? "an end after an informational response"
                : code.code() == HttpResponseStatus.SWITCHING_PROTOCOLS.code() ? "101 in HTTP/2" : null;
    }

    @Override
    public Http2Headers add(CharSequence name, CharSequence value) {
        if (PseudoHeaderName.STATUS.value().contentEquals(name)) {
            readStatus(value);
            return super.add(name, value); // for Netty, which distinguishes informational responses
        }
        if (PseudoHeaderName.isPseudoHeader(name)) {
            ofRequest = name; // Netty, which goes on, refuses it in PUSH_PROMISE (RFC 9113 section 8.4)
            return this;
        }
        if (AsciiString.of(name).toLowerCase() != name) {
            throw new IllegalArgumentException("an upper-case name: " + name);
        }
        if (HttpHeaderValidationUtil.isConnectionHeader(name, true)) {
            throw new IllegalArgumentException("a field for connections of HTTP/1.1: " + name);
        }
        if (GRPC_MESSAGE.contentEquals(name)) {
            fields.add(name, AsciiString.of(value).trim()); // gRPC's encoding leaves blanks at both ends
        } else if (HeaderField.endsWithBlank(value)) {
            throw new IllegalArgumentException("a value that ends with a blank: " + name);
        } else {
            fields.add(name, value);
        }
        return this;
    }

    private void readStatus(CharSequence value) {
        if (code != null || !fields.isEmpty() || !value.toString().matches("[1-9][0-9]{2}")) {
            throw new IllegalArgumentException("status: " + value + " (expected: 100..999, once, first)");
        }
        code = HttpResponseStatus.valueOf(AsciiString.of(value).parseInt());
    }
}
