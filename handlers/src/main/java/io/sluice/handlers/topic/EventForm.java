package io.sluice.handlers.topic;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.ByteProcessor;
import io.sluice.handlers.SharedMessage;

/**
 * A message as an event of a stream (HTML, section 9.2.6). A notice of the position alone sets the client's
 * last event id, and is no event for it.
 */
record EventForm(TopicMessage.Kind kind, Position position) implements SharedMessage.Encoding {
    private static final int ROOM = 96;
    private static final byte[] DATA = {'d', 'a', 't', 'a', ':', ' '};

    /** A text of one line about who is subscribed, as an event of a type of its own, without an id. */
    static final SharedMessage.Encoding PRESENCE = (_, line) -> {
        ByteBuf event = line.alloc().buffer(ROOM + line.readableBytes());
        ByteBufUtil.writeAscii(event, "event: presence\ndata: ");
        event.writeBytes(line, line.readerIndex(), line.readableBytes());
        return event.writeByte('\n').writeByte('\n');
    };

    @Override
    public ByteBuf encode(boolean text, ByteBuf payload) {
        int size = payload.readableBytes();
        ByteBuf event = payload.alloc().buffer(ROOM + (text ? size : (size + 2) / 3 * 4));
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

    /** Writes each line of a text as one of the event; a line ends with LF, CR, or both. */
    private static void writeLines(ByteBuf text, ByteBuf to) {
        int from = text.readerIndex();
        int end = text.writerIndex();
        while (true) {
            int found = text.forEachByte(from, end - from, ByteProcessor.FIND_CRLF);
            int stop = found < 0 ? end : found;
            to.writeBytes(DATA).writeBytes(text, from, stop - from).writeByte('\n');
            if (stop == end) {
                return;
            }
            boolean both = text.getByte(stop) == '\r' && stop + 1 < end && text.getByte(stop + 1) == '\n';
            from = stop + (both ? 2 : 1);
        }
    }
}
