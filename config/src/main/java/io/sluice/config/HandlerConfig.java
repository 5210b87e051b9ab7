package io.sluice.config;

import io.sluice.config.type.ByteSize;
import io.sluice.config.type.NamedSql;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * What a route does: one record for each kind, chosen by the key {@code handler}. A kind's name is
 * its record's, in kebab-case.
 */
public sealed interface HandlerConfig {

    /**
     * A kind from another jar: a record whose components are keys, as they are here. A constructor that
     * throws refuses the values, and the exception's message is the user's.
     */
    non-sealed interface Plugin extends HandlerConfig {
    }

    /** What serves WebSockets. */
    interface ForSockets {

        /** How they are served. */
        SocketConfig socket();
    }

    /** A fixed text. */
    record Text(String text, String contentType, @Range(min = 200, max = 599) int status)
            implements HandlerConfig {
    }

    /**
     * A fixed JSON object.
     *
     * @param timestamp the member that gets the time of the answer
     */
    record Json(Map<String, Object> body, Optional<String> timestamp,
                @Range(min = 200, max = 599) int status) implements HandlerConfig {
    }

    /** What arrived. */
    record Echo() implements HandlerConfig {
    }

    /** The gateway's routes. */
    record Index() implements HandlerConfig {
    }

    /**
     * Work for the processor.
     *
     * @param parameter the query parameter with n
     * @param defaultN n without it; key {@code default}
     * @param inlineLimit the largest n that is computed on the event loop
     */
    record Cpu(Algorithm algorithm, String parameter, @Key("default") @Range(max = 10_000_000) int defaultN,
               @Range(max = 100_000) int inlineLimit, @Ref("offload.pools") String pool)
            implements HandlerConfig {

        /** What is computed. */
        public enum Algorithm { FIBONACCI, SIEVE }
    }

    /**
     * A wait.
     *
     * @param pool whose worker sleeps; present where the mode is blocking
     * @param parameter the query parameter with milliseconds
     * @param fibonacci computed before the wait
     */
    record Delay(Mode mode, @Ref("offload.pools") Optional<String> pool, String parameter,
                 @Range(max = Range.HOUR) Duration duration, @Range(max = Range.HOUR) Duration max,
                 @Range(max = 90) int fibonacci) implements HandlerConfig {

        /** Who waits: the event loop's timer, or a thread. */
        public enum Mode { TIMER, BLOCKING }
    }

    /**
     * SQL.
     *
     * @param single one object instead of an array of them
     * @param rowLimit the most rows an array holds
     * @param writeOnGet whether a statement that changes data may answer GET
     * @param parameters one for each {@code :name} in the SQL
     */
    record Query(@Ref("databases") String database, NamedSql sql, boolean single,
                 @Range(min = 1, max = Integer.MAX_VALUE) int rowLimit,
                 boolean writeOnGet, Map<String, ParameterConfig> parameters) implements HandlerConfig {
    }

    /**
     * Files below a directory.
     *
     * @param index the file that stands for a directory; empty for none
     * @param cacheControl the value of their Cache-Control header
     * @param pool whose workers look for files, open and read them
     * @param zeroCopy whether files may be sent by the kernel, which reads them on an event loop
     */
    record Files(String directory, String index, Optional<String> cacheControl,
                 @Ref("offload.pools") String pool, boolean zeroCopy) implements HandlerConfig {
    }

    /** A socket that sends back what it gets. */
    record WsEcho(SocketConfig socket) implements HandlerConfig, ForSockets {
    }

    /**
     * Sockets that get what is published to the topic that {@code {topic}} in their path names.
     *
     * @param publish whether what a socket sends is published
     * @param budget of messages that wait for a client, in bytes
     * @param overBudget what is done about a client that is slower than that allows
     */
    record WsTopic(SocketConfig socket, @Ref("topics") String topics, boolean publish,
                   @Range(max = Range.GIB) ByteSize budget, OverBudget overBudget)
            implements HandlerConfig, ForSockets {

        /** What is given up. */
        public enum OverBudget { DROP_OLDEST, LATEST_ONLY, CLOSE }
    }

    /** A request whose body is published to the topic that {@code {topic}} in its path names. */
    record Publish(@Ref("topics") String topics) implements HandlerConfig {
    }

    /**
     * Requests over a socket.
     *
     * @param maxInFlight requests of a socket that are served at once; a further one waits
     * @param maxAnswer of an answer's body
     */
    record WsRpc(SocketConfig socket, @Range(min = 1, max = 10_000) int maxInFlight,
                 @Range(max = Range.GIB) ByteSize maxAnswer) implements HandlerConfig, ForSockets {
    }

    /**
     * Programs that clients send.
     *
     * @param pool whose workers wait for them
     */
    record WsCode(SocketConfig socket, @Ref("offload.pools") String pool, ProgramConfig program)
            implements HandlerConfig, ForSockets {
    }
}
