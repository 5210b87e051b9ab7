package io.sluice.loadtest.experiments.server;

import io.sluice.loadtest.experiments.peer.BenchmarkServlet;
import io.sluice.loadtest.experiments.peer.ItemDatabase;
import io.sluice.loadtest.experiments.peer.ItemServlet;
import io.sluice.loadtest.experiments.peer.SleepyDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/**
 * An embedded Tomcat with the benchmark endpoints, or those of items and orders, as servlets. It has default
 * settings, except those that would close or reject kept-alive connections.
 */
public final class TomcatServer {

    /** More connections than any workload has; the default is 8,192. */
    private static final int CONNECTIONS = 20_000;

    /** The threads that requests run on. */
    public enum Threads {
        /** At most 200 platform threads. */
        PLATFORM,
        /** A new virtual thread for each request. */
        VIRTUAL
    }

    private TomcatServer() {}

    /**
     * Serves a free port of 127.0.0.1, which it prints as the gateway does. The arguments are the threads,
     * and the URL of a database.
     */
    public static void main(String[] args) throws LifecycleException, IOException, SQLException {
        var folder = Files.createTempDirectory("sluice-tomcat-");
        var connector = connector(Threads.valueOf(args[0]));
        var tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setConnector(connector);
        var context = tomcat.addContext("", null);
        (args.length > 1 ? ItemServlet.all(ItemDatabase.at(args[1]))
                : BenchmarkServlet.all(SleepyDatabase.start())).forEach(
                (path, servlet) -> Tomcat.addServlet(context, path, servlet).addMapping(path));
        tomcat.start();
        delete(folder);
        System.out.println("Tomcat serves http://localhost:" + connector.getLocalPort() + "/");
        tomcat.getServer().await();
    }

    private static Connector connector(Threads threads) {
        var connector = new Connector();
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("useVirtualThreads", Boolean.toString(threads == Threads.VIRTUAL));
        connector.setProperty("maxKeepAliveRequests", "-1");
        connector.setProperty("maxConnections", Integer.toString(CONNECTIONS));
        return connector;
    }

    /** Deletes the empty folders that Tomcat creates there. */
    private static void delete(Path folder) throws IOException {
        try (var all = Files.walk(folder)) {
            for (var path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** The command that runs the server, in a JVM with the gateway's options. */
    static List<String> command(Threads threads, Optional<String> url) {
        var command = JavaCommand.of("--enable-native-access=ALL-UNNAMED",
                "-cp", System.getProperty("java.class.path"), TomcatServer.class.getName(), threads.name());
        url.ifPresent(command::add);
        return command;
    }
}
