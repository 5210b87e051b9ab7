package io.sluice.loadtest.experiments.server;

import io.netty.channel.ChannelHandler;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.sluice.loadtest.experiments.peer.ItemDatabase;
import io.sluice.loadtest.experiments.peer.ItemHandler;
import io.sluice.loadtest.experiments.peer.QueryHandler;
import io.sluice.loadtest.experiments.peer.SleepyDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A Netty server with JDBC, whose statements block the thread that serves the connection. */
public final class JdbcServer {

    /**
     * The threads of a server.
     *
     * @param loops event loops
     * @param group threads of a {@code DefaultEventExecutorGroup} for queries, one of which each connection
     *     is bound to; 0 for queries on the event loops
     */
    public record Threads(int loops, int group) {}

    private JdbcServer() {}

    /**
     * Serves a free port of 127.0.0.1. The arguments are the numbers of loops and threads, and the URL of a
     * database.
     */
    public static void main(String[] args) throws InterruptedException, SQLException {
        var threads = new Threads(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
        if (args.length > 2) {
            var database = ItemDatabase.at(args[2]);
            serve(threads, () -> new ItemHandler(database));
        } else {
            var database = SleepyDatabase.start();
            serve(threads, () -> new QueryHandler(database));
        }
    }

    @SuppressWarnings("deprecation") // addLast(group, handler), as in the field report and many apps
    private static void serve(Threads threads, Supplier<ChannelHandler> handler)
            throws InterruptedException {
        var group = threads.group() == 0 ? null : new DefaultEventExecutorGroup(threads.group());
        BarePort.serve(0, threads.loops(), pipeline -> pipeline.addLast(new HttpServerCodec())
                .addLast(group, handler.get()));
    }

    /**
     * The command that runs the server, in a JVM with the gateway's options.
     *
     * @param url of a {@link RowDatabase}; if empty, its queries sleep
     */
    static List<String> command(Threads threads, Optional<String> url) {
        var command = JavaCommand.of("--enable-native-access=ALL-UNNAMED",
                "-cp", System.getProperty("java.class.path"), JdbcServer.class.getName(),
                Integer.toString(threads.loops()), Integer.toString(threads.group()));
        url.ifPresent(command::add);
        return command;
    }
}
