package io.sluice.handlers.write;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Hashes the values of a request, so that another request with the same ones is recognized. */
public final class ParameterHash {
    private final MessageDigest digest = sha256();

    private ParameterHash() {
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new LinkageError("every JDK has it", e);
        }
    }

    /** Returns the SHA-256 of values; different ones have different hashes. */
    public static byte[] of(@Nullable Object[] values) {
        var hash = new ParameterHash();
        hash.add(values);
        return hash.digest.digest();
    }

    private void add(@Nullable Object value) {
        switch (value) {
            case null -> begin('-', 0);
            case byte[] bytes -> add('b', bytes);
            case Object[] several -> {
                begin('[', several.length);
                for (Object element : several) {
                    add(element);
                }
            }
            case List<?> several -> {
                begin('[', several.size());
                several.forEach(this::add);
            }
            default -> add('t', value.toString().getBytes(StandardCharsets.UTF_8));
        }
    }

    private void add(char kind, byte[] bytes) {
        begin(kind, bytes.length);
        digest.update(bytes);
    }

    private void begin(char kind, int length) {
        digest.update((byte) kind);
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, length));
    }
}
