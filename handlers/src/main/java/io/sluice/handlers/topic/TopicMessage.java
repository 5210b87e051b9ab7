package io.sluice.handlers.topic;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.AbstractReferenceCounted;
import io.sluice.handlers.SharedMessage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A message of a topic at its position, or a notice of the position itself. Each of its forms is encoded when
 * a subscriber first needs it, for all of them. Reference-counted: retain it to keep it.
 */
public final class TopicMessage extends AbstractReferenceCounted {
    /** The approximate memory of a message beside its payload: objects, and the head of a frame. */
    private static final int OVERHEAD = 256;

    private final Kind kind;
    private final Position position;
    private final SharedMessage raw;
    /** The number of slow clients for which this waits, with or without its encoded forms. */
    private final AtomicInteger waiting;
    /** The message in an {@link Envelope}; null until that is needed. */
    private final AtomicReference<@Nullable SharedMessage> enveloped = new AtomicReference<>();

    /** The kinds of messages. */
    public enum Kind {
        /** A message that was published. */
        DATA,
        /** A notice of the position from which on the subscriber gets messages. */
        BEGIN,
        /** A notice that messages up to the position may be missing. */
        RESYNC
    }

    private TopicMessage(Kind kind, Position position, SharedMessage raw, AtomicInteger waiting) {
        this.kind = kind;
        this.position = position;
        this.raw = raw;
        this.waiting = waiting;
    }

    /**
     * Returns a published message.
     *
     * @param raw stays the caller's
     */
    public static TopicMessage of(Position position, SharedMessage raw) {
        return new TopicMessage(Kind.DATA, position, raw.retain(), new AtomicInteger());
    }

    /** Returns a notice, for subscribers with positions only. */
    static TopicMessage notice(Kind kind, Position position) {
        return new TopicMessage(kind, position, new SharedMessage(true, Unpooled.EMPTY_BUFFER),
                new AtomicInteger());
    }

    /** Returns the message without its encoded forms, in the same memory; owned by the caller. */
    TopicMessage unencoded() {
        return new TopicMessage(kind, position, raw.unencoded(), waiting);
    }

    /** Returns for how many slow clients this waits. */
    int waiting() {
        return waiting.get();
    }

    /** Counts a client for which this begins to wait, and returns whether it is the first. */
    boolean beginWait() {
        return waiting.getAndIncrement() == 0;
    }

    /** Counts a client for which this waits no longer, and returns whether it was the last. */
    boolean endWait() {
        return waiting.decrementAndGet() == 0;
    }

    /** Returns whether this is a notice, for subscribers with positions only. */
    boolean isNotice() {
        return kind != Kind.DATA;
    }

    public Kind kind() {
        return kind;
    }

    public Position position() {
        return position;
    }

    /** Returns the message as it was published; it lives as long as this. Not for a notice. */
    public SharedMessage raw() {
        return raw;
    }

    /** Returns the message as a JSON object with its position; it lives as long as this. */
    public SharedMessage enveloped() {
        SharedMessage present = enveloped.get();
        if (present != null) {
            return present;
        }
        var made = new SharedMessage(true, raw.with((text, payload) -> Envelope.of(this, text, payload)));
        if (enveloped.compareAndSet(null, made)) {
            return made;
        }
        made.release(); // another event loop was faster
        return enveloped();
    }

    /** Returns the message as an event of a stream, in memory that callers share; owned by the caller. */
    ByteBuf event() {
        return raw.as(new EventForm(kind, position));
    }

    /** Returns the payload's size in bytes. */
    public int size() {
        return raw.size();
    }

    /**
     * Returns the memory of the message in bytes. Without the overhead, a budget would not limit small
     * messages.
     */
    long cost() {
        return (long) size() + OVERHEAD;
    }

    /** Returns the memory of the message with its encoded forms so far, in bytes. */
    long memory() {
        SharedMessage envelope = enveloped.get();
        return cost() + raw.encodedBytes()
                + (envelope == null ? 0 : envelope.size() + envelope.encodedBytes());
    }

    @Override
    protected void deallocate() {
        raw.release();
        SharedMessage envelope = enveloped.get();
        if (envelope != null) {
            envelope.release();
        }
    }

    @Override
    public TopicMessage touch(Object hint) {
        raw.touch(hint);
        return this;
    }

    @Override
    public TopicMessage retain() {
        super.retain();
        return this;
    }
}
