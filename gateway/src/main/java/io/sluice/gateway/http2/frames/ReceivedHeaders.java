package io.sluice.gateway.http2.frames;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Headers.PseudoHeaderName;
import io.netty.util.AsciiString;
import io.sluice.gateway.limits.RequestMemory;
import org.jspecify.annotations.Nullable;

/**
 * The header fields of a client with the first flaw found in them; it depends on their order, which a request
 * does not keep. All fields are decoded even then, as later ones may refer to them in the HPACK table.
 */
public final class ReceivedHeaders extends DefaultHttp2Headers {
    /** Bytes added for each field (RFC 9113 section 6.5.2). */
    private static final int OVERHEAD = 32;
    private static final int EXPECTED = 16;

    private final long maxSize;
    private final int maxFields;
    private long size;
    private int fields;
    private boolean anyPseudo;
    private boolean anyRegular;
    private @Nullable CharSequence protocol;
    private @Nullable String flaw;

    /**
     * Creates an empty list.
     *
     * @param maxSize in bytes, as SETTINGS_MAX_HEADER_LIST_SIZE counts
     * @param maxFields the most fields, without pseudo-header fields and with all cookies counted as one
     */
    public ReceivedHeaders(long maxSize, int maxFields) {
        super(false, EXPECTED);
        this.maxSize = maxSize;
        this.maxFields = maxFields;
    }

    @Override
    public Http2Headers add(CharSequence name, CharSequence value) {
        size += name.length() + value.length() + OVERHEAD;
        if (flaw == null && !tooLarge()) {
            flaw = FieldRules.flaw((AsciiString) value);
            if (flaw == null) {
                flaw = isPseudo(name) ? pseudo(name, value) : regular(name, value);
            }
            super.add(name, value);
        }
        return this;
    }

    private static boolean isPseudo(CharSequence name) {
        return !name.isEmpty() && name.charAt(0) == ':';
    }

    private @Nullable String pseudo(CharSequence name, CharSequence value) {
        anyPseudo = true;
        if (anyRegular) {
            return "a pseudo-header field behind others";
        }
        if (!FieldRules.isPseudoOfRequest(name)) {
            return "a pseudo-header field that is not known";
        }
        if (contains(name)) {
            return "a pseudo-header field twice";
        }
        if (PseudoHeaderName.PROTOCOL.value().contentEquals(name)) {
            protocol = value;
        }
        return null;
    }

    private @Nullable String regular(CharSequence name, CharSequence value) {
        anyRegular = true;
        if (!HttpHeaderNames.COOKIE.contentEquals(name) || !contains(name)) {
            fields++;
        }
        if (HttpHeaderNames.CONTENT_LENGTH.contentEquals(name) && contains(name)) {
            return "two lengths";
        }
        return FieldRules.flaw((AsciiString) name, value);
    }

    /** Returns the protocol of an extended CONNECT (RFC 8441 section 4); null for any other request. */
    public @Nullable CharSequence protocol() {
        return protocol;
    }

    /** Returns the reason why they are malformed (RFC 9113 sections 8.2 and 8.3); null if they are not. */
    public @Nullable String flaw() {
        return flaw;
    }

    /** Returns whether there are pseudo-header fields, which trailers must not have. */
    public boolean anyPseudo() {
        return anyPseudo;
    }

    /** Returns whether a limit was exceeded; some fields may then be missing here. */
    public boolean tooLarge() {
        return size > maxSize || fields > maxFields;
    }

    /** Returns the bytes of the heap that the fields take, about. */
    public int heap() {
        return (int) Math.min(size, maxSize) + fields * (RequestMemory.FIELD - OVERHEAD);
    }
}
