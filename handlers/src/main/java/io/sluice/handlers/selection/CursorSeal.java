package io.sluice.handlers.selection;

import io.sluice.config.type.Secret;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Converts values to cursors and back. A cursor has the values, not encrypted, after an HMAC-SHA256 of the
 * values and their purpose, truncated to 128 bits. Thread-safe.
 */
final class CursorSeal {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int MAC = 16;
    /** The length of NULL. */
    private static final int NULL = -1;
    /** The secret of this process, which a reload keeps. */
    private static final byte[] RANDOM = random();

    private final SecretKeySpec key;

    CursorSeal(Optional<Secret> secret) {
        key = new SecretKeySpec(secret.map(given -> given.text().getBytes(StandardCharsets.UTF_8))
                .orElse(RANDOM), ALGORITHM);
    }

    private static byte[] random() {
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        return secret;
    }

    /** Returns a cursor, of letters that need no encoding in a URI. */
    String seal(String purpose, List<@Nullable String> values) {
        List<byte[]> texts = values.stream()
                .map(value -> value == null ? new byte[0] : value.getBytes(StandardCharsets.UTF_8)).toList();
        int size = texts.stream().mapToInt(text -> Integer.BYTES + text.length).sum();
        ByteBuffer content = ByteBuffer.allocate(size);
        for (int i = 0; i < values.size(); i++) {
            content.putInt(values.get(i) == null ? NULL : texts.get(i).length).put(texts.get(i));
        }
        byte[] sealed = ByteBuffer.allocate(MAC + size)
                .put(mac(purpose, content.array())).put(content.array()).array();
        return text(sealed);
    }

    private static String text(byte[] sealed) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(sealed);
    }

    /** Returns the values of a cursor; null if it is not one of {@link #seal} for this purpose. */
    @Nullable List<@Nullable String> open(String purpose, String cursor) {
        try {
            byte[] sealed = Base64.getUrlDecoder().decode(cursor);
            if (sealed.length < MAC || !cursor.equals(text(sealed))) { // Java ignores bits that are left over
                return null;
            }
            byte[] content = Arrays.copyOfRange(sealed, MAC, sealed.length);
            return MessageDigest.isEqual(mac(purpose, content), Arrays.copyOf(sealed, MAC))
                    ? values(ByteBuffer.wrap(content)) : null;
        } catch (IllegalArgumentException | BufferUnderflowException e) {
            return null;
        }
    }

    private static List<@Nullable String> values(ByteBuffer content) {
        var values = new ArrayList<@Nullable String>();
        while (content.hasRemaining()) {
            int length = content.getInt();
            if (length == NULL) {
                values.add(null);
                continue;
            }
            byte[] text = new byte[length];
            content.get(text);
            values.add(new String(text, StandardCharsets.UTF_8));
        }
        return values;
    }

    private byte[] mac(String purpose, byte[] content) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(purpose.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return Arrays.copyOf(mac.doFinal(content), MAC);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has " + ALGORITHM, e);
        }
    }
}
