package io.sluice.gateway.http2.frames;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Headers.PseudoHeaderName;
import io.netty.util.AsciiString;

/**
 * The fields that a client sent, and what is wrong with them, which nobody can tell any more once they have
 * been put in order. They are decoded to their end all the same: the next ones may refer to them.
 */
public final class ReceivedHeaders extends DefaultHttp2Headers {
    /** RFC 9113 section 6.5.2. */
    private static final int OVERHEAD = 32;
    private static final int EXPECTED = 16;

    private final long maxSize;
    private final int maxFields;
    private long size;
    private int fields;
    private boolean anyPseudo;
    private boolean anyRegular;
    private CharSequence protocol;
    private String flaw;

    /**
     * None yet.
     *
     * @param maxSize in bytes, as SETTINGS_MAX_HEADER_LIST_SIZE counts
     * @param maxFields without those that begin with a colon, and with cookies for one
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

    private String pseudo(CharSequence name, CharSequence value) {
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
        if (PseudoHeaderName.PROTOCOL.value().equals(name)) {
            protocol = value;
        }
        return null;
    }

    private String regular(CharSequence name, CharSequence value) {
        anyRegular = true;
        if (!HttpHeaderNames.COOKIE.equals(name) || !contains(name)) {
            fields++;
        }
        if (HttpHeaderNames.CONTENT_LENGTH.equals(name) && contains(name)) {
            return "two lengths";
        }
        return FieldRules.flaw((AsciiString) name, value);
    }

    /** The protocol that an extended CONNECT asks for (RFC 8441 section 4); null in any other request. */
    public CharSequence protocol() {
        return protocol;
    }

    /** What makes them malformed (RFC 9113 sections 8.2 and 8.3); null where nothing does. */
    public String flaw() {
        return flaw;
    }

    /** Whether there is one that no trailer may be. */
    public boolean anyPseudo() {
        return anyPseudo;
    }

    /** Whether they are larger or more than they may be: some of them may be missing here. */
    public boolean tooLarge() {
        return size > maxSize || fields > maxFields;
    }
}
