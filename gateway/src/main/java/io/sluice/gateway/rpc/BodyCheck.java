package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.sluice.handlers.http.Json;
import io.sluice.handlers.http.Utf8Validator;
import java.nio.ByteBuffer;

/**
 * A check of an answer's body, piece by piece, where the pieces are made: whether it is UTF-8, and JSON where
 * its type says so. One thread at a time.
 */
final class BodyCheck {
    private final Utf8Validator utf8 = new Utf8Validator();
    private final JsonScanner json;
    private boolean text = true;
    private boolean broken;
    private int checked;

    /** A body of this type, which may be null. */
    BodyCheck(String contentType) {
        json = contentType != null && Json.isMediaType(contentType) ? new JsonScanner() : null;
    }

    /** How many bytes have been checked. */
    int checked() {
        return checked;
    }

    /** Checks the body's next bytes, which stay their owner's. */
    void add(ByteBuf bytes, int from, int length) {
        checked += length;
        // A view of its own: a body can be shared with other event loops.
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

    /** Whether it is UTF-8. To be asked once, when all is checked. */
    boolean isText() {
        return text && utf8.complete();
    }

    /** Whether it is one JSON value, for a body that is UTF-8. */
    boolean isJson() {
        return json != null && !broken && json.isWhole();
    }
}
