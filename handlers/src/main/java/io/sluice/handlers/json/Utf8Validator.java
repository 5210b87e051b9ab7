package io.sluice.handlers.json;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/** Validates UTF-8 incrementally (RFC 3629): reports the first invalid byte when it arrives. */
public final class Utf8Validator {
    private static final long NOT_ASCII = 0x8080_8080_8080_8080L;

    /** The number of bytes missing in the current character, and the bounds of the next of them. */
    private int needed;
    private int lowest = 0x80;
    private int highest = 0xBF;

    /** Returns whether a text is valid and complete. Any thread. */
    public static boolean isValid(ByteBuf text) {
        var validator = new Utf8Validator();
        for (ByteBuffer piece : text.nioBuffers()) { // not a copy of a body in pieces
            if (!validator.accepts(piece)) {
                return false;
            }
        }
        return validator.complete();
    }

    /**
     * Returns whether the text is still valid with these bytes. The buffer must not be used by other threads.
     */
    public boolean accepts(ByteBuf bytes, int from, int length) {
        // Avoids the buffer's checks of each access.
        return accepts(bytes.nioBufferCount() == 1 ? bytes.internalNioBuffer(from, length)
                : bytes.nioBuffer(from, length));
    }

    /**
     * Returns whether the text is still valid with the remaining bytes of a buffer; its position is
     * unchanged.
     */
    public boolean accepts(ByteBuffer memory) {
        int at = memory.position();
        int end = memory.limit();
        while (at < end) {
            if (needed == 0 && at + 8 <= end && (memory.getLong(at) & NOT_ASCII) == 0) {
                at += 8;
            } else if (!accepts(memory.get(at++) & 0xFF)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether the text may end here, and begins a new text. */
    public boolean complete() {
        boolean complete = needed == 0;
        needed = 0;
        lowest = 0x80;
        highest = 0xBF;
        return complete;
    }

    private boolean accepts(int octet) {
        return needed == 0 ? begins(octet) : continues(octet);
    }

    private boolean begins(int octet) {
        if (octet < 0x80) {
            return true;
        }
        if (octet < 0xC2 || octet > 0xF4) {
            return false;
        }
        needed = octet < 0xE0 ? 1 : octet < 0xF0 ? 2 : 3;
        // No overlong forms, no surrogates, nothing above U+10FFFF.
        lowest = octet == 0xE0 ? 0xA0 : octet == 0xF0 ? 0x90 : 0x80;
        highest = octet == 0xED ? 0x9F : octet == 0xF4 ? 0x8F : 0xBF;
        return true;
    }

    private boolean continues(int octet) {
        if (octet < lowest || octet > highest) {
            return false;
        }
        needed--;
        lowest = 0x80;
        highest = 0xBF;
        return true;
    }
}
