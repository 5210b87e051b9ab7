package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.sluice.handlers.json.Json;
import io.sluice.handlers.json.Utf8Validator;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Checks the body of a response piece by piece, on the thread that produces it: whether it is UTF-8 and, if
 * its content type is JSON, whether it is valid JSON. One thread at a time.
 */
final class BodyCheck {
    private final Utf8Validator utf8 = new Utf8Validator();
    private final @Nullable JsonScanner json;
    private boolean text = true;
    private boolean broken;
    private int checked;

    /**
     * A check of one body.
     *
     * @param contentType may be null
     */
    BodyCheck(String contentType) {
        json = contentType != null && Json.isMediaType(contentType) ? new JsonScanner() : null;
    }

    /** Returns the number of bytes that have been checked. */
    int checked() {
        return checked;
    }

    /** Checks the next bytes of the body; they stay the caller's. */
    void add(ByteBuf bytes, int from, int length) {
        checked += length;
        // A separate view, as other event loops may share the body.
        ByteBuffer piece = bytes.nioBuffer(from, length);
        if (text && !utf8.accepts(piece)) {
            text = false;
        }
        if (json != null && text && !broken) {
            int at = json.scan(piece, piece.position(), piece.limit());
            while (at < piece.limit() && ObjectScanner.isSpace(piece.get(at))) {
                at++;
            }
            broken = at < piece.limit() || json.isBroken();
        }
    }

    /** Returns whether the body is UTF-8. To be called once, after the whole body has been checked. */
    boolean isText() {
        return text && utf8.complete();
    }

    /** Returns whether the body, if it is UTF-8, is one JSON value. */
    boolean isJson() {
        return json != null && !broken && json.isWhole();
    }
}
