package io.sluice.config.type;

/** A confidential text, such as a password. */
public record Secret(String text) implements Confidential {
    public static final String EXPECTED = "a text";

    /** Accepts any text. */
    public static Secret parse(String text) {
        return new Secret(text);
    }

    @Override
    public String toString() {
        return text.isEmpty() ? "" : MASK;
    }
}
