package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.handlers.HttpException;
import java.nio.ByteBuffer;

/** A scanner that finds the members of a JSON object and looks into none of them. */
final class ObjectScanner {
    private final ByteBuffer bytes;
    private final int end;
    private final JsonScanner values = new JsonScanner();
    private int at;

    /** Takes a member, as the indices of its name and value, quotes included. */
    @FunctionalInterface
    interface Sink {

        /** The ends are exclusive. */
        void member(int nameFrom, int nameTo, int valueFrom, int valueTo);
    }

    private ObjectScanner(ByteBuffer bytes) {
        this.bytes = bytes;
        at = bytes.position();
        end = bytes.limit();
    }

    /**
     * Scans a text that should be one object.
     *
     * @param sink is told indices from the text's reader index, in the members' order
     * @throws HttpException 400 at the first byte that is wrong; the members before it have been told then
     */
    static void scan(ByteBuf text, Sink sink) {
        // A copy of the view, so that positions begin at 0.
        new ObjectScanner(text.nioBuffer().slice()).object(sink);
    }

    private void object(Sink sink) {
        skipSpace();
        if (!nextIs('{')) {
            throw bad("message (expected: a JSON object)");
        }
        skipSpace();
        if (!nextIs('}')) {
            do {
                member(sink);
            } while (nextIs(','));
            require('}');
        }
        skipSpace();
        if (at < end) {
            throw bad("message (expected: one JSON object and nothing after it; byte %d is wrong)"
                    .formatted(at + 1));
        }
    }

    private void member(Sink sink) {
        skipSpace();
        if (at == end || bytes.get(at) != '"') {
            throw wrong();
        }
        int name = at;
        skipValue();
        int nameEnd = at;
        skipSpace();
        require(':');
        skipSpace();
        int value = at;
        skipValue();
        sink.member(name, nameEnd, value, at);
        skipSpace();
    }

    private void skipValue() {
        values.reset();
        at = values.scan(bytes, at, end);
        if (!values.isWhole()) {
            throw wrong();
        }
    }

    private void skipSpace() {
        while (at < end && isSpace(bytes.get(at))) {
            at++;
        }
    }

    /** RFC 8259 section 2. */
    static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    private void require(char expected) {
        if (!nextIs(expected)) {
            throw wrong();
        }
    }

    private boolean nextIs(char expected) {
        boolean is = at < end && bytes.get(at) == expected;
        at += is ? 1 : 0;
        return is;
    }

    private HttpException wrong() {
        return bad("message (expected: a JSON object; %s)".formatted(
                at == end ? "its end is missing" : "byte %d is wrong".formatted(at + 1)));
    }

    private static HttpException bad(String detail) {
        return new HttpException(HttpResponseStatus.BAD_REQUEST, detail);
    }
}
