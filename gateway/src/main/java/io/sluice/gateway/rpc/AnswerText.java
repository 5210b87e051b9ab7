package io.sluice.gateway.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.base64.Base64;
import io.netty.handler.codec.http.HttpUtil;
import io.sluice.handlers.http.Json;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** An answer as the text that its client gets. */
final class AnswerText {

    private AnswerText() {
    }

    /**
     * Writes an answer. A body that is JSON becomes part of it as it is, any other one a text, or base64
     * where it is no UTF-8; an empty one is left out.
     *
     * @param id JSON
     * @param contentType of the body; may be null
     * @param body stays its owner's
     * @return owned by the caller
     */
    static ByteBuf of(ByteBufAllocator alloc, String id, int status, String contentType, ByteBuf body) {
        ByteBuf text = alloc.buffer(id.length() + 64 + body.readableBytes());
        try {
            ByteBufUtil.writeUtf8(text, "{\"id\":" + id + ",\"status\":" + status);
            if (body.isReadable()) {
                ByteBufUtil.writeAscii(text, ",\"body\":");
                write(text, contentType, body);
            }
            return text.writeByte('}');
        } catch (RuntimeException e) {
            text.release();
            throw e;
        }
    }

    private static void write(ByteBuf text, String contentType, ByteBuf body) {
        String decoded = decode(body);
        if (decoded == null) {
            ByteBuf encoded = Base64.encode(body.duplicate(), false);
            text.writeByte('"').writeBytes(encoded);
            encoded.release();
            ByteBufUtil.writeAscii(text, "\",\"encoding\":\"base64\"");
        } else if (isJson(contentType) && Utf8Json.isOneValue(body)) {
            text.writeBytes(body, body.readerIndex(), body.readableBytes());
        } else {
            try (JsonGenerator json = Json.generator(new ByteBufOutputStream(text))) {
                json.writeString(decoded);
            }
        }
    }

    /** Null for what is not UTF-8. */
    private static String decode(ByteBuf body) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(body.nioBuffer()).toString();
        } catch (CharacterCodingException _) {
            return null;
        }
    }

    private static boolean isJson(String contentType) {
        CharSequence type = contentType == null ? null : HttpUtil.getMimeType(contentType);
        String name = type == null ? "" : type.toString().strip().toLowerCase(Locale.ROOT);
        return name.equals("application/json") || name.endsWith("+json");
    }
}
