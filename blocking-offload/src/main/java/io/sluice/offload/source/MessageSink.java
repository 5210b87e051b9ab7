package io.sluice.offload.source;

import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Takes the messages of a source. */
@FunctionalInterface
public interface MessageSink {

    /**
     * Takes a message. Does not block. Called on the thread of the source, which does not wait for the result
     * before it offers the next message. A sink keeps the order of the calls in each topic. It refuses a
     * message whose {@linkplain Message#after() predecessor} it does not have.
     *
     * @return null if the sink is busy: the message is offered again a moment later. Otherwise a future that
     *     succeeds when the sink has the message, and fails if the sink has refused it. A message may be
     *     offered again after a failure or a restart; if the sink already has its {@linkplain Message#key()
     *     key}, the future succeeds and the message is not published twice
     */
    @Nullable Future<?> accept(Message message);
}
