package io.sluice.handlers.topic;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.sluice.config.topic.TopicsConfig;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.presence.Roster;
import io.sluice.offload.ClientNetwork;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The origin of the messages of topics: this process, or a bus. Thread-safe. */
sealed interface Source extends AutoCloseable permits LocalSource, BusSource {

    /** Publishes a message that may be refused: see {@link Topics#publish}. */
    Future<Published> publish(String topic, SharedMessage message, Bus.@Nullable Key key,
                              @Nullable ClientNetwork client, EventExecutor loop);

    /** Publishes a message after which the publisher may have to wait: see {@link Topics#publishPaced}. */
    Future<?> publishPaced(String topic, SharedMessage message, ClientNetwork client,
                           EventExecutor publisher);

    /** Returns a future of when a topic accepts subscribers: see {@link Topics#ready}. */
    Future<?> ready(String topic, EventExecutor loop);

    /** Creates the entry of a topic that has none. Under the topic's lock. */
    Topic open(String name);

    /** Removes the entry of a topic without subscribers, now or later. Under the topic's lock. */
    @Nullable Topic abandon(String name, Topic topic);

    /**
     * Returns the next messages for a subscriber that catches up, owned by the caller. If there is none, the
     * subscriber joins the others; then the result is empty, or a notice. If the result is empty and the
     * subscriber has not joined, the source resumes the catch-up later.
     */
    List<TopicMessage> next(CatchUp catchUp);

    /** Returns the roster of the members of topics. */
    Roster roster();

    /** Applies another configuration of rights and kept messages. */
    void update(TopicsConfig config);

    @Override
    void close();
}
