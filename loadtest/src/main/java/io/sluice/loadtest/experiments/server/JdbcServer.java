package io.sluice.loadtest.experiments.server;

import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.sluice.loadtest.experiments.peer.ItemDatabase;
import io.sluice.loadtest.experiments.peer.Queries;
import io.sluice.loadtest.experiments.peer.QueryHandler;
import io.sluice.loadtest.experiments.peer.SleepyDatabase;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Netty's HTTP codec and a JDBC query behind it, which blocks the thread that serves the connection. */
public final class JdbcServer {

    /**
     * The threads of a server.
     *
     * @param loops event loops
     * @param group threads of a {@code DefaultEventExecutorGroup} for queries, of which each connection
     *     has one for good; 0 for queries on the event loops
     */
    public record Threads(int loops, int group) {}

    private JdbcServer() {}

    /** Serves a free port of 127.0.0.1 by so many loops and threads; the third word is a database's URL. */
    public static void main(String[] args) throws InterruptedException, SQLException {
        var threads = new Threads(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
        serve(threads, args.length > 2 ? ItemDatabase.at(args[2]) : SleepyDatabase.start());
    }

    @SuppressWarnings("deprecation") // addLast(group, handler): what the field report did, and what many do
    private static void serve(Threads threads, Queries queries) throws InterruptedException {
        var group = threads.group() == 0 ? null : new DefaultEventExecutorGroup(threads.group());
        BarePort.serve(0, threads.loops(), pipeline -> pipeline.addLast(new HttpServerCodec())
                .addLast(group, new QueryHandler(queries)));
    }

    /**
     * The command that runs it, in a JVM as the gateway's.
     *
     * @param url of a {@link RowDatabase}; without one, its queries sleep
     */
    static List<String> command(Threads threads, Optional<String> url) {
        var words = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED",
                "-cp", System.getProperty("java.class.path"), JdbcServer.class.getName(),
                Integer.toString(threads.loops()), Integer.toString(threads.group())));
        url.ifPresent(words::add);
        return JavaCommand.of(words.toArray(String[]::new));
    }
}
