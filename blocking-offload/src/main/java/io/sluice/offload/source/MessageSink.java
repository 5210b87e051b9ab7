package io.sluice.offload.source;

import io.netty.util.concurrent.Future;

/** Takes the messages of a source. */
@FunctionalInterface
public interface MessageSink {

    /**
     * Takes a message. Does not block. Called on the thread of the source, which does not wait for one message
     * before the next: a sink keeps the order of the calls in each topic.
     *
     * @return completes when the message cannot be lost any more, as far as the sink can tell; fails if it was
     *     not taken. A message is handed over again after a failure, and if its source, or the database, stopped
     *     in between: a sink that has taken a message with the same {@linkplain Message#key() key} succeeds
     *     without another
     */
    Future<?> accept(Message message);
}
