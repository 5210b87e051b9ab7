package io.sluice.handlers.bus.redis;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.topic.Bus;
import io.sluice.handlers.topic.Position;
import io.sluice.handlers.topic.TopicMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Messages as the scripts pass them on: {@code POSITION KINDpayload}, where the kind is one letter. */
final class Frames {
    static final byte[] TEXT = {'t'};
    static final byte[] BINARY = {'b'};

    private static final int MAX_POSITION = 40;

    private Frames() {
    }

    /**
     * A message of a channel.
     *
     * @param payload owned by the receiver
     */
    record Frame(Position position, boolean text, ByteBuf payload) {
    }

    /** Returns the message in a frame; null if it is malformed, as one of another sender may be. */
    static @Nullable Frame parse(byte[] frame, ByteBufAllocator alloc) {
        int space = 0;
        while (space < frame.length && space < MAX_POSITION && frame[space] != ' ') {
            space++;
        }
        if (space + 1 >= frame.length || frame[space] != ' ') {
            return null;
        }
        Position position = Position.parse(new String(frame, 0, space, StandardCharsets.US_ASCII));
        return position == null ? null
                : new Frame(position, isText(frame[space + 1]), payload(frame, space + 2, alloc));
    }

    static boolean isText(byte kind) {
        return kind == TEXT[0];
    }

    /** Returns a copy of the bytes from an index on: such memory is sent to many without another copy. */
    static ByteBuf payload(byte[] bytes, int from, ByteBufAllocator alloc) {
        return alloc.directBuffer(bytes.length - from).writeBytes(bytes, from, bytes.length - from);
    }

    /** Returns the messages in an answer of read.lua, owned by the caller. */
    static Bus.History history(List<Object> answer, ByteBufAllocator alloc) {
        Position end = position((byte[]) answer.get(0));
        boolean certain = ((byte[]) answer.get(1))[0] == 'y';
        var messages = new ArrayList<TopicMessage>();
        try {
            for (int i = 2; i < answer.size(); i += 3) {
                long offset = Long.parseLong(new String((byte[]) answer.get(i), StandardCharsets.US_ASCII));
                boolean text = isText(((byte[]) answer.get(i + 1))[0]);
                var raw = new SharedMessage(text, payload((byte[]) answer.get(i + 2), 0, alloc));
                try {
                    messages.add(TopicMessage.of(new Position(end.epoch(), offset), raw));
                } finally {
                    raw.release();
                }
            }
            return new Bus.History(end, certain, messages);
        } catch (Throwable e) { // no memory for a payload, for example
            messages.forEach(TopicMessage::release);
            throw e;
        }
    }

    /** Returns the position in an answer of a script. */
    static Position position(byte[] text) {
        Position position = Position.parse(new String(text, StandardCharsets.US_ASCII));
        if (position == null) {
            throw new IllegalStateException("an answer of the bus without a position");
        }
        return position;
    }

    /** Returns the kind and the payload of a message. */
    static byte[][] kindAndPayload(SharedMessage message) {
        var parts = new byte[2][];
        message.with((text, payload) -> {
            parts[0] = text ? TEXT : BINARY;
            parts[1] = ByteBufUtil.getBytes(payload);
            return Unpooled.EMPTY_BUFFER;
        });
        return parts;
    }
}
