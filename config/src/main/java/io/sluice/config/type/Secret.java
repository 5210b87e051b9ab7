package io.sluice.config.type;

/** A password, a key or the like. */
public record Secret(String text) implements Confidential {
    public static final String EXPECTED = "a text";

    /** Takes any text. */
    public static Secret parse(String text) {
        return new Secret(text);
    }

    @Override
    public String toString() {
        return text.isEmpty() ? "" : MASK;
    }
}
