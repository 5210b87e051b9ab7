package io.sluice.handlers.topic;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.sluice.handlers.json.JsonEscapes;
import java.util.Base64;

/**
 * A message as a JSON object: {@code {"id":"epoch:offset","data":"..."}}, with {@code "encoding":"base64"} if
 * it is binary. A notice of the position has no data, and {@code "resync":true} if messages may be missing.
 */
final class Envelope {
    private static final int ROOM = 96;
    /** Bytes that are encoded as base64 at a time; a multiple of 3. */
    private static final int STEP = 24 * 1024;

    private Envelope() {
    }

    /** Returns an object, owned by the caller. */
    static ByteBuf of(TopicMessage message, boolean text, ByteBuf payload) {
        ByteBuf json = payload.alloc().buffer(ROOM + length(text, payload));
        switch (message.kind()) {
            case BEGIN -> ByteBufUtil.writeAscii(json, "{\"id\":\"" + message.position() + "\"}");
            case RESYNC ->
                    ByteBufUtil.writeAscii(json, "{\"resync\":true,\"id\":\"" + message.position() + "\"}");
            case DATA -> {
                ByteBufUtil.writeAscii(json, "{\"id\":\"" + message.position() + "\",\"data\":\"");
                write(text, payload, json);
                ByteBufUtil.writeAscii(json, text ? "\"}" : "\",\"encoding\":\"base64\"}");
            }
        }
        return json;
    }

    /** Returns how many bytes {@link #write} appends; a buffer of that size is never copied to grow. */
    private static int length(boolean text, ByteBuf payload) {
        int size = payload.readableBytes();
        return text ? JsonEscapes.length(payload, payload.readerIndex(), size) : base64Length(size);
    }

    static int base64Length(int size) {
        return (size + 2) / 3 * 4;
    }

    /** Writes the payload as a part of a JSON string, whose quotes the caller writes. */
    static void write(boolean text, ByteBuf payload, ByteBuf json) {
        int from = payload.readerIndex();
        int end = payload.writerIndex();
        if (text) {
            JsonEscapes.write(payload, from, end - from, json);
            return;
        }
        for (int at = from; at < end; at += STEP) {
            json.writeBytes(Base64.getEncoder().encode(payload.nioBuffer(at, Math.min(STEP, end - at))));
        }
    }
}
