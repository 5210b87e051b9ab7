package io.sluice.loadtest.experiments;

import com.sun.management.UnixOperatingSystemMXBean;
import io.sluice.loadtest.experiments.server.BareServer;
import io.sluice.loadtest.experiments.server.ConfigFile;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;

/** What the experiments with WebSockets compare: the gateway, and Netty with one handler of its own. */
record WebSocketServers(ConfigFile config) implements AutoCloseable {

    static final Variant OURS = new Variant("ours", Map.of());
    static final Variant BARE = new Variant("bare Netty", Map.of());
    static final List<Variant> ALL = List.of(OURS, BARE);

    static final String ECHO = "/ws/echo";
    static final String SUBSCRIBE = "/ws/topics/news";
    static final String PUBLISH = "/topics/news";

    /** Descriptors that a process of the JVM needs beside its sockets, generously. */
    private static final int BESIDE = 200;

    static WebSocketServers configured() throws IOException {
        return new WebSocketServers(ConfigFile.of("websocket.conf"));
    }

    ServerProcess start(Workbench bench, Variant variant) throws IOException, InterruptedException {
        return variant.equals(BARE)
                ? ServerProcess.startBare(variant, BareServer.Kind.WEB_SOCKET)
                : bench.start(config, variant);
    }

    /**
     * Sees to it that driver and server can hold so many sockets.
     *
     * @throws IllegalStateException where the limit of open files, which both inherit, is too low
     */
    static void need(int sockets) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                && system.getMaxFileDescriptorCount() < sockets + BESIDE) {
            throw new IllegalStateException("open files: %d (expected: at least %d, see ulimit -n)"
                    .formatted(system.getMaxFileDescriptorCount(), sockets + BESIDE));
        }
    }

    @Override
    public void close() throws IOException {
        config.close();
    }
}
