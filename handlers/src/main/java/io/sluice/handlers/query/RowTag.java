package io.sluice.handlers.query;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/** Makes strong entity tags (RFC 9110 section 8.8.3) of versions and of bytes. */
public final class RowTag {

    private RowTag() {
    }

    /**
     * Returns the tag of a version. Characters that a tag cannot contain are percent-encoded, and semicolons,
     * so that only suffixes begin with one.
     *
     * @param suffix distinguishes representations
     */
    static String of(String version, String suffix) {
        var tag = new StringBuilder("\"");
        for (byte octet : version.getBytes(StandardCharsets.UTF_8)) {
            if (octet > ' ' && octet < 0x7F && octet != '"' && octet != '%' && octet != ';') {
                tag.append((char) octet);
            } else {
                tag.append('%').append(String.format("%02X", octet));
            }
        }
        return tag.append(suffix).append('"').toString();
    }

    /** A stream whose bytes are hashed, and not stored. */
    public static final class Hash extends OutputStream {
        /** The number of bytes that are kept of a hash, enough to make collisions improbable. */
        private static final int KEPT = 16;

        private final MessageDigest digest = sha256();

        private static MessageDigest sha256() {
            try {
                return MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new LinkageError("every JDK has it", e);
            }
        }

        @Override
        public void write(int octet) {
            digest.update((byte) octet);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            digest.update(bytes, offset, length);
        }

        /** Returns the tag of the bytes so far. */
        public String tag() {
            byte[] kept = Arrays.copyOf(digest.digest(), KEPT);
            return of(Base64.getUrlEncoder().withoutPadding().encodeToString(kept), "");
        }
    }
}
