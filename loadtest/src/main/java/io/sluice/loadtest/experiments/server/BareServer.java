package io.sluice.loadtest.experiments.server;

import io.netty.channel.ChannelPipeline;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import io.sluice.loadtest.experiments.peer.BenchmarkHandler;
import io.sluice.loadtest.experiments.peer.QueryHandler;
import io.sluice.loadtest.experiments.peer.SleepyDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;

/**
 * A plain Netty server, the baseline for the gateway's overhead: HTTP or WebSockets with Netty's own handlers
 * and one more, on as many event loops as the gateway has in these experiments.
 */
public final class BareServer {

    /** The endpoints that it serves. */
    public enum Kind {
        /** {@code /benchmark/hello} and {@code /benchmark/json}. */
        HTTP,
        /**
         * The benchmark endpoints, with the database's answers on a {@code DefaultEventExecutorGroup} of as
         * many threads as there are database connections; each client connection is bound to one of them.
         */
        BENCHMARK,
        /**
         * {@code /ws/echo}, {@code /ws/topics/{topic}} and {@code POST /topics/{topic}}, with one topic for
         * all names.
         */
        WEB_SOCKET
    }

    private static final int LOOPS = 2;
    private static final int MAX_BODY = 1 << 20;
    private static final WebSocketServerProtocolConfig SOCKETS = WebSocketServerProtocolConfig.newBuilder()
            .websocketPath("/ws")
            .checkStartsWith(true)
            .build();

    private BareServer() {}

    /**
     * Serves the port of 127.0.0.1 in the second argument, or a free one, whose number it prints as the
     * gateway does.
     */
    public static void main(String[] args) throws InterruptedException, SQLException {
        BarePort.serve(args.length > 1 ? Integer.parseInt(args[1]) : 0, LOOPS,
                pipeline(Kind.valueOf(args[0])));
    }

    private static Consumer<ChannelPipeline> pipeline(Kind kind) throws SQLException {
        var subscribers = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
        return switch (kind) {
            case HTTP -> pipeline -> pipeline.addLast(new HttpServerCodec(), new BareHttpHandler());
            case BENCHMARK -> benchmark(SleepyDatabase.start());
            case WEB_SOCKET -> pipeline -> pipeline.addLast(
                    new HttpServerCodec(),
                    new HttpObjectAggregator(MAX_BODY),
                    new WebSocketServerProtocolHandler(SOCKETS),
                    new BareSocketHandler(subscribers));
        };
    }

    @SuppressWarnings("deprecation") // as in the field report and in many applications
    private static Consumer<ChannelPipeline> benchmark(SleepyDatabase database) {
        var blocking = new DefaultEventExecutorGroup(SleepyDatabase.CONNECTIONS);
        return pipeline -> pipeline.addLast(new HttpServerCodec(), new BenchmarkHandler())
                .addLast(blocking, new QueryHandler(database));
    }

    /** The command that runs the server, in a JVM with the gateway's options. */
    static List<String> command(Kind kind) {
        return JavaCommand.of("--enable-native-access=ALL-UNNAMED",
                "-cp", System.getProperty("java.class.path"), BareServer.class.getName(), kind.name());
    }
}
