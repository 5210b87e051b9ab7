package io.sluice.offload.source;

import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Takes the messages of a source. */
@FunctionalInterface
public interface MessageSink {

    /**
     * Takes a message. Does not block. Called on the thread of the source, which does not wait for a message
     * before the next one: a sink keeps the order of the calls in each topic.
     *
     * @return null if messages come faster than the sink can pass them on: the same one is offered again a
     *     moment later. Else it succeeds when the sink has the message, and fails if it was not taken. After
     *     a failure, and if the source or the database stopped, the message is handed over again: a sink that
     *     has one with this {@linkplain Message#key() key} succeeds without another
     */
    @Nullable Future<?> accept(Message message);
}
