package io.sluice.handlers.bus.redis;

import io.lettuce.core.api.StatefulRedisConnection;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The connections of a bus: to one server, or to those of a cluster. Thread-safe. */
interface RedisServers {

    /** Receives what comes on channels, on threads of the bus. */
    interface Receiver {
        /** Called when a connection is in use. */
        void opened();

        void subscribed(String channel);

        void message(String channel, byte[] frame);

        /** Called when the channel's connection is lost. */
        void lost(String channel);
    }

    /** Begins to connect. */
    void open();

    /** Returns the connection to the server of a key; null if there is none. */
    @Nullable StatefulRedisConnection<String, byte[]> commands(String key);

    /** Subscribes a channel, now or as soon as there is a connection. */
    void subscribe(String channel);

    /** Ends a subscription. */
    void unsubscribe(String channel);

    /** Looks for the right server, since one has told that it is not. */
    void moved();

    /** Returns the reason why commands or messages do not pass; null if they do. */
    @Nullable String problem();

    /** Returns the reason why those of a key do not pass; null if they do. */
    default @Nullable String problem(String key) {
        return problem();
    }

    /** Closes the connections; the result completes when they are closed. */
    CompletableFuture<Void> close();
}
