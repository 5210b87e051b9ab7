package io.sluice.config.type;

import java.util.HexFormat;
import java.util.Locale;

/**
 * The SHA-256 of a secret. The hash does not give access, but is masked all the same.
 *
 * @param hex 64 hex digits in lower case
 */
public record Sha256(String hex) implements Confidential {
    public static final String EXPECTED = "the SHA-256 of a token, 64 hex digits";
    /**
     * The hash of an empty text: the result of {@code printf %s "$TOKEN" | sha256sum} if the variable is not
     * set.
     */
    private static final String OF_NOTHING =
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    /**
     * Reads hex digits.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public static Sha256 parse(String text) {
        String hex = text.strip().toLowerCase(Locale.ROOT);
        if (!hex.matches("[0-9a-f]{64}")) {
            throw new IllegalArgumentException(EXPECTED);
        }
        if (hex.equals(OF_NOTHING)) {
            throw new IllegalArgumentException(EXPECTED + "; this is that of an empty text");
        }
        return new Sha256(hex);
    }

    /** Returns the 32 bytes of the hash, in a new array. */
    public byte[] bytes() {
        return HexFormat.of().parseHex(hex);
    }

    @Override
    public String toString() {
        return MASK;
    }
}
