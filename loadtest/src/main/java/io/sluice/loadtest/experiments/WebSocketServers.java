package io.sluice.loadtest.experiments;

import io.sluice.loadtest.experiments.bench.Workbench;
import io.sluice.loadtest.experiments.server.BareServer;
import io.sluice.loadtest.experiments.server.ConfigFile;
import io.sluice.loadtest.experiments.server.ServerProcess;
import io.sluice.loadtest.experiments.server.Variant;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The servers that the WebSocket experiments compare: the gateway, and plain Netty with one handler. */
record WebSocketServers(ConfigFile config) implements AutoCloseable {

    static final Variant OURS = new Variant("ours", Map.of());
    static final Variant BARE = new Variant("bare Netty", Map.of());
    static final List<Variant> ALL = List.of(OURS, BARE);

    static final String ECHO = "/ws/echo";
    static final String SUBSCRIBE = "/ws/topics/news";
    static final String PUBLISH = "/topics/news";

    static WebSocketServers configured() throws IOException {
        return new WebSocketServers(ConfigFile.of("websocket.conf"));
    }

    ServerProcess start(Workbench bench, Variant variant) throws IOException, InterruptedException {
        return variant.equals(BARE)
                ? ServerProcess.startBare(variant, BareServer.Kind.WEB_SOCKET)
                : bench.start(config, variant);
    }

    @Override
    public void close() throws IOException {
        config.close();
    }
}
