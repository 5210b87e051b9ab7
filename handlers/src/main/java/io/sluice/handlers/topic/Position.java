package io.sluice.handlers.topic;

import io.netty.buffer.ByteBufUtil;
import org.jspecify.annotations.Nullable;

/**
 * The place of a message in a topic. The offsets of an epoch count up by one; a new epoch begins when the
 * order before it is lost. For clients it is one opaque text.
 *
 * @param epoch not negative, chosen at random
 * @param offset not negative; that of an epoch's first message is 1
 */
public record Position(long epoch, long offset) {
    private static final int RADIX = 36;
    private static final char BETWEEN = ':';
    /** A text without a position. */
    private static final String UNKNOWN = "?";

    /** Returns the position in a text; null if it has none, as one of a client may. */
    public static @Nullable Position parse(String text) {
        int between = text.indexOf(BETWEEN);
        if (between < 0 || ByteBufUtil.utf8Bytes(text) > text.length()) { // digits of any script are parsed
            return null;
        }
        try {
            long epoch = Long.parseLong(text, 0, between, RADIX);
            long offset = Long.parseLong(text, between + 1, text.length(), 10);
            return epoch < 0 || offset < 0 ? null : new Position(epoch, offset);
        } catch (NumberFormatException _) {
            return null;
        }
    }

    /**
     * Returns a short text in place of one of a client, which may have thousands of characters: that of the
     * same position, or one without a position. An empty text stays empty.
     */
    public static String normalized(String text) {
        Position position = parse(text);
        return position != null ? position.toString() : text.isEmpty() ? "" : UNKNOWN;
    }

    /** Returns the position of the next message. */
    Position next() {
        return new Position(epoch, offset + 1);
    }

    /** Returns the position before this one's message. */
    Position before() {
        return new Position(epoch, offset - 1);
    }

    /** Returns the position before the first message of the epoch. */
    Position beginning() {
        return new Position(epoch, 0);
    }

    /** Returns whether this is a position of an epoch. */
    boolean isOf(long other) {
        return epoch == other;
    }

    /** Returns whether this is the position of the message after the other one. */
    boolean follows(Position other) {
        return epoch == other.epoch && offset == other.offset + 1;
    }

    /** Returns whether a client at the other position has the message at this one. */
    boolean isCoveredBy(Position other) {
        return epoch == other.epoch && offset <= other.offset;
    }

    /** Returns the epoch as in {@link #toString()}. */
    public String epochText() {
        return Long.toString(epoch, RADIX);
    }

    @Override
    public String toString() {
        return epochText() + BETWEEN + offset;
    }
}
