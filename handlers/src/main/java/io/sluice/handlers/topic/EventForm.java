package io.sluice.handlers.topic;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.sluice.handlers.SharedMessage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A message as an event of a stream (HTML, section 9.2.6). A notice of the position alone sets the client's
 * last event id, and is no event for it.
 */
record EventForm(TopicMessage.Kind kind, Position position) implements SharedMessage.Encoding {
    private static final int ROOM = 96;
    private static final byte[] LINE_END = "\ndata: ".getBytes(StandardCharsets.US_ASCII);
    /** Bytes that are read at a time, into an array: its access costs less than that of a buffer. */
    private static final int STEP = 4 * 1024;

    /** A text of one line about who is subscribed, as an event of a type of its own, without an id. */
    static final SharedMessage.Encoding PRESENCE = (_, line) -> {
        ByteBuf event = line.alloc().buffer(ROOM + line.readableBytes());
        ByteBufUtil.writeAscii(event, "event: presence\ndata: ");
        event.writeBytes(line, line.readerIndex(), line.readableBytes());
        return event.writeByte('\n').writeByte('\n');
    };

    @Override
    public ByteBuf encode(boolean text, ByteBuf payload) {
        ByteBuf event = payload.alloc().buffer(ROOM + room(text, payload));
        ByteBufUtil.writeAscii(event, "id: " + position + '\n');
        switch (kind) {
            case BEGIN -> { }
            case RESYNC -> ByteBufUtil.writeAscii(event, "event: resync\ndata: " + position + '\n');
            case DATA -> {
                if (text) {
                    writeLines(payload, event);
                } else {
                    ByteBufUtil.writeAscii(event, "event: binary\ndata: ");
                    Envelope.write(false, payload, event);
                    event.writeByte('\n');
                }
            }
        }
        return event.writeByte('\n');
    }

    /** Returns how many bytes a payload takes at most; a buffer of that size is never copied to grow. */
    private static int room(boolean text, ByteBuf payload) {
        int size = payload.readableBytes();
        if (!text) {
            return Envelope.base64Length(size);
        }
        ByteBuffer memory = payload.nioBuffer().slice();
        int ends = 0;
        for (int i = 0; i < size; i++) {
            ends += isLineEnd(memory.get(i)) ? 1 : 0;
        }
        return size + ends * LINE_END.length;
    }

    private static boolean isLineEnd(byte b) {
        return b == '\n' || b == '\r';
    }

    /** Writes each line of a text as one of the event; a line ends with LF, CR, or both. */
    private static void writeLines(ByteBuf text, ByteBuf to) {
        int end = text.writerIndex();
        byte[] some = new byte[Math.min(STEP, text.readableBytes())];
        byte[] lines = new byte[some.length * LINE_END.length];
        byte before = 0;
        ByteBufUtil.writeAscii(to, "data: ");
        for (int at = text.readerIndex(); at < end; at += STEP) {
            int size = Math.min(STEP, end - at);
            text.getBytes(at, some, 0, size);
            int length = 0;
            for (int i = 0; i < size; i++) {
                byte b = some[i];
                if (!isLineEnd(b)) {
                    lines[length++] = b;
                } else if (b == '\r' || before != '\r') {
                    for (byte c : LINE_END) {
                        lines[length++] = c;
                    }
                }
                before = b;
            }
            to.writeBytes(lines, 0, length);
        }
        to.writeByte('\n');
    }
}
