package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.sluice.handlers.http.Json;
import java.io.InputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;

/** JSON that is UTF-8 and nothing else. */
final class Utf8Json {

    private Utf8Json() {
    }

    /** A parser that leaves the text as it is; its locations count from where the text begins. */
    static JsonParser parser(ByteBuf text) {
        InputStream in = new ByteBufInputStream(text.duplicate());
        return Json.FACTORY.createParser(ObjectReadContext.empty(), in);
    }

    /**
     * Whether a parser takes a text for UTF-8 from its first byte on: it looks for UTF-16 and UTF-32, in
     * which JSON cannot be without a zero, and skips a byte order mark. Neither can be in JSON (RFC 8259).
     */
    static boolean isOnly(ByteBuf text) {
        int from = text.readerIndex();
        return text.isReadable() && (text.getByte(from) & 0xFF) != 0xEF
                && text.indexOf(from, text.writerIndex(), (byte) 0) < 0;
    }

    /** Whether a text that is valid UTF-8 is one JSON value. */
    static boolean isOneValue(ByteBuf text) {
        if (!isOnly(text)) {
            return false;
        }
        try (JsonParser json = parser(text)) {
            boolean some = json.nextToken() != null;
            json.skipChildren();
            return some && json.nextToken() == null;
        } catch (JacksonException _) {
            return false;
        }
    }
}
