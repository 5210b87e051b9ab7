package io.sluice.config;

import io.sluice.config.bulk.BulkConfig;
import io.sluice.config.key.Key;
import io.sluice.config.key.Range;
import io.sluice.config.key.Ref;
import io.sluice.config.selection.FilterOperator;
import io.sluice.config.selection.PagingConfig;
import io.sluice.config.selection.SortConfig;
import io.sluice.config.topic.LiveConfig;
import io.sluice.config.topic.OverBudget;
import io.sluice.config.type.ByteSize;
import io.sluice.config.type.EtagSource;
import io.sluice.config.type.NamedSql;
import io.sluice.config.type.PathTemplate;
import io.sluice.config.upstream.HeaderChanges;
import io.sluice.config.write.WriteConfig;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The configuration of a route's handler: one record for each kind, selected by the key {@code handler}. The
 * name of a kind is that of its record, in kebab-case.
 */
public sealed interface HandlerConfig {

    /**
     * Returns whether the handler may open WebSockets: their handshakes may carry tokens in more ways than
     * other requests, as browsers let no script set {@code Authorization} for them.
     */
    default boolean opensSockets() {
        return false;
    }

    /**
     * Returns the part of this configuration that tunnels, once open, cannot follow: a reload that changes it
     * drains the route's tunnels.
     */
    default Object boundToTunnels() {
        return "";
    }

    /**
     * The configuration of a plug-in's handler: a record whose components are keys, like the ones here. Its
     * constructor may throw to reject the values; the user gets the exception's message.
     */
    non-sealed interface Plugin extends HandlerConfig {
        @Override
        default Object boundToTunnels() {
            return this;
        }
    }

    /** A handler of WebSockets. */
    sealed interface ForSockets extends HandlerConfig {

        /** Returns the settings of the route's WebSockets. */
        SocketConfig socket();

        @Override
        default boolean opensSockets() {
            return true;
        }
    }

    /** Responds with a fixed text. */
    record Text(String text, String contentType, @Range(min = 200, max = 599) int status)
            implements HandlerConfig {
    }

    /**
     * Responds with a fixed JSON object.
     *
     * @param timestamp the name of a member with the time of the response, in ms since 1970
     */
    record Json(Map<String, Object> body, Optional<String> timestamp,
                @Range(min = 200, max = 599) int status) implements HandlerConfig {
    }

    /** Responds with a description of the request, or its body. */
    record Echo() implements HandlerConfig {
    }

    /** Responds with the routes of the gateway. */
    record Index() implements HandlerConfig {
    }

    /**
     * Responds with an OpenAPI document of the routes; a path that ends with {@code **} also serves a page.
     *
     * @param title the title of the document
     * @param version the version of the API
     */
    record Openapi(String title, String version) implements HandlerConfig {
    }

    /**
     * Computes on purpose, to consume CPU time.
     *
     * @param parameter the name of the query parameter for n
     * @param defaultN n if the parameter is absent; key {@code default}
     * @param inlineLimit the largest n that is computed on the event loop
     */
    record Cpu(Algorithm algorithm, String parameter, @Key("default") @Range(max = MAX_SIEVE) int defaultN,
               @Range(max = 100_000) int inlineLimit, @Ref("offload.pools") String pool)
            implements HandlerConfig {

        /** The 90th Fibonacci number and all before it fit a long. */
        static final int MAX_FIBONACCI = 90;
        static final int MAX_SIEVE = 10_000_000;

        /** The computation. */
        public enum Algorithm { FIBONACCI, SIEVE }

        /** Returns the largest n of the algorithm. */
        public int maxN() {
            return algorithm == Algorithm.FIBONACCI ? MAX_FIBONACCI : MAX_SIEVE;
        }
    }

    /**
     * Responds after a wait.
     *
     * @param pool the pool whose worker sleeps; present if the mode is blocking
     * @param parameter the name of the query parameter for the wait in milliseconds
     * @param duration the wait if the parameter is absent
     * @param max the longest wait; a longer one is answered with 400
     * @param fibonacci the Fibonacci number that is computed before the wait
     */
    record Delay(Mode mode, @Ref("offload.pools") Optional<String> pool, String parameter,
                 @Range(max = Range.HOUR) Duration duration, @Range(max = Range.HOUR) Duration max,
                 @Range(max = Cpu.MAX_FIBONACCI) int fibonacci) implements HandlerConfig {

        /** The way of waiting: by a timer of the event loop, or by a sleeping worker. */
        public enum Mode { TIMER, BLOCKING }
    }

    /**
     * Runs an SQL statement.
     *
     * @param sqlFile the file from which the statement was read, with {@code #} and its name
     * @param single whether the response is one object instead of an array
     * @param contentType the media type of a response that is the value of the single row's only column
     * @param etag the source of the single row's entity tag
     * @param cacheControl the value of the Cache-Control header of rows
     * @param paging the pages in which clients get the rows
     * @param sort the orders in which clients may have the rows
     * @param filter the columns by which clients may select rows, and the operators for each
     * @param rowLimit the largest number of rows in an array
     * @param writeOnGet whether a statement that changes data may answer GET
     * @param parameters the definition of each {@code :name} in the SQL
     * @param errors the responses to SQL errors, by SQLSTATE or its first two characters
     * @param constraints the public names of constraints, by their names in the database
     * @param showRaise whether clients get the message and the hint of a RAISE
     * @param readOnly whether the transaction is read-only
     * @param write what belongs to a statement that changes data
     * @param live the topic whose messages have the result sent again
     * @param bulk the bounds of a body with many rows, for each of which the statement runs
     */
    record Query(@Ref("databases") String database, NamedSql sql, Optional<String> sqlFile, boolean single,
                 Optional<String> contentType, Optional<EtagSource> etag, Optional<String> cacheControl,
                 Optional<PagingConfig> paging, Optional<SortConfig> sort,
                 Optional<Map<String, Set<FilterOperator>>> filter,
                 @Range(min = 1, max = Integer.MAX_VALUE) int rowLimit,
                 boolean writeOnGet, Map<String, ParameterConfig> parameters,
                 Map<String, SqlErrorConfig> errors, Map<String, String> constraints, boolean showRaise,
                 boolean readOnly, Optional<WriteConfig> write, Optional<LiveConfig> live,
                 Optional<BulkConfig> bulk)
            implements HandlerConfig {

        /** Returns a query for a single row, without parameters and all other keys. */
        public static Query ofRow(String database, NamedSql sql) {
            return new Query(database, sql, Optional.empty(), true, Optional.empty(), Optional.empty(),
                    Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), 1, false,
                    Map.of(), Map.of(), Map.of(), false, false, Optional.empty(), Optional.empty(),
                    Optional.empty());
        }

        /** Returns this if results are live: their streams do not follow a change of the query. */
        @Override
        public Object boundToTunnels() {
            return live.isPresent() ? this : "";
        }

        /** Returns whether clients may select rows. */
        public boolean selects() {
            return paging.isPresent() || sort.isPresent() || filter.isPresent();
        }
    }

    /**
     * Serves files below a directory.
     *
     * @param index the name of the file that is served for a directory; empty for none
     * @param cacheControl the value of the Cache-Control header
     * @param pool the pool whose workers find, open and read files
     * @param zeroCopy whether the kernel may send files; the event loop then waits for the disk
     */
    record Files(String directory, String index, Optional<String> cacheControl,
                 @Ref("offload.pools") String pool, boolean zeroCopy) implements HandlerConfig {
    }

    /**
     * Passes requests on to an upstream.
     *
     * @param stripPrefix the beginning of the path that the upstream does not get
     * @param rewrite the path that the upstream gets, with captures of the route's path
     * @param host the Host that the upstream gets: {@code keep} for the client's, {@code endpoint} for the
     *     endpoint's address, or a name
     * @param requestHeaders fields that the upstream gets in place of the client's, or does not get
     * @param responseHeaders fields that the client gets in place of the upstream's, or does not get
     * @param tunnelIdle the time without a byte after which a WebSocket is closed
     */
    record Proxy(@Ref("upstreams") String upstream, Optional<String> stripPrefix,
                 Optional<PathTemplate> rewrite, String host,
                 Optional<HeaderChanges> requestHeaders, Optional<HeaderChanges> responseHeaders,
                 @Range(min = 1, max = Range.DAY) Duration tunnelIdle) implements HandlerConfig {
        @Override
        public boolean opensSockets() {
            return true;
        }

        @Override
        public Object boundToTunnels() {
            return upstream;
        }
    }

    /** A WebSocket that sends each message back. */
    record WsEcho(SocketConfig socket) implements ForSockets {
    }

    /**
     * WebSockets that receive every message of a topic; {@code {topic}} in their path is its name.
     *
     * @param publish whether messages of a socket are published
     * @param budget the largest size of unsent messages for a client, in bytes
     * @param overBudget what happens to a client whose unsent messages exceed the budget
     */
    record WsTopic(SocketConfig socket, @Ref("topics") String topics, boolean publish,
                   @Range(max = Range.GIB) ByteSize budget, OverBudget overBudget)
            implements ForSockets {
        @Override
        public Object boundToTunnels() {
            return topics;
        }
    }

    /**
     * Server-sent events with every message of a topic, or long polls for them; {@code {topic}} in the path
     * is its name.
     *
     * @param heartbeat the time after which a comment is sent
     * @param pollWait the longest time for which a poll waits for a message
     * @param budget the largest size of unsent messages for a client, and of the response to a poll, in bytes
     * @param overBudget what happens to a client whose unsent messages exceed the budget
     */
    record Events(@Ref("topics") String topics, @Range(min = 100, max = Range.HOUR) Duration heartbeat,
                  @Range(min = 1, max = Range.HOUR) Duration pollWait,
                  @Range(max = Range.GIB) ByteSize budget, OverBudget overBudget) implements HandlerConfig {
        @Override
        public Object boundToTunnels() {
            return topics;
        }
    }

    /** Responds with the members of a topic; {@code {topic}} in the path is its name. */
    record Presence(@Ref("topics") String topics) implements HandlerConfig {
    }

    /** Publishes the body of a request to a topic; {@code {topic}} in the path is its name. */
    record Publish(@Ref("topics") String topics) implements HandlerConfig {
    }

    /**
     * Serves requests to the gateway's routes over one WebSocket.
     *
     * @param maxInFlight the number of concurrent requests of a socket; further ones wait
     * @param maxAnswer the largest body of a response
     * @param maxSubscriptions the number of concurrent subscriptions to topics of a socket
     * @param budget the largest size of unsent messages of a subscription, in bytes
     * @param overBudget what happens to a subscription whose unsent messages exceed the budget
     */
    record WsRpc(SocketConfig socket, @Range(min = 1, max = 10_000) int maxInFlight,
                 @Range(max = 16 << 20) ByteSize maxAnswer, @Range(max = 100_000) int maxSubscriptions,
                 @Range(max = Range.GIB) ByteSize budget, OverBudget overBudget)
            implements ForSockets {
    }

    /**
     * Runs programs that clients send.
     *
     * @param pool the pool whose workers wait for the programs
     */
    record WsCode(SocketConfig socket, @Ref("offload.pools") String pool, ProgramConfig program)
            implements ForSockets {
    }
}
