package io.sluice.handlers.websocket;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.concurrent.ThreadLocalRandom;

/** The key of an opening handshake over HTTP/1.1, and the value that accepts it (RFC 6455 section 4). */
public final class HandshakeKey {
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int LENGTH = 16;

    private HandshakeKey() {
    }

    /** Returns a key for a handshake of a client. It need not be unpredictable. */
    public static String random() {
        byte[] key = new byte[LENGTH];
        ThreadLocalRandom.current().nextBytes(key);
        return Base64.getEncoder().encodeToString(key);
    }

    /** Returns the value of Sec-WebSocket-Accept for a key. */
    public static String accept(String key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-1")
                    .digest((key + GUID).getBytes(StandardCharsets.ISO_8859_1));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new LinkageError("every JDK has SHA-1", e);
        }
    }
}
