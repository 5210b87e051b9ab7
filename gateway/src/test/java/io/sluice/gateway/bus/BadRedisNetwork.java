package io.sluice.gateway.bus;

import eu.rekawek.toxiproxy.Proxy;
import eu.rekawek.toxiproxy.ToxiproxyClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.toxiproxy.ToxiproxyContainer;

/** A Redis and a toxiproxy in front of it, each in a container, on a network of their own. */
final class BadRedisNetwork implements AutoCloseable {
    private static final int PORT = 8666;
    private static final int REDIS = 6379;

    private final Network network = Network.newNetwork();
    private final GenericContainer<?> redis = new GenericContainer<>("redis:7")
            .withCommand("redis-server", "--save", "", "--appendonly", "no")
            .withExposedPorts(REDIS).withNetwork(network).withNetworkAliases("redis");
    private final ToxiproxyContainer toxiproxy =
            new ToxiproxyContainer("ghcr.io/shopify/toxiproxy:2.12.0").withNetwork(network);
    private final ToxiproxyClient client;
    private final Proxy proxy;

    BadRedisNetwork() {
        try {
            redis.start();
            toxiproxy.start();
            client = new ToxiproxyClient(toxiproxy.getHost(), toxiproxy.getControlPort());
            proxy = client.createProxy("redis", "0.0.0.0:" + PORT, "redis:" + REDIS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the URL of Redis through the proxy. */
    String url() {
        return "redis://%s:%d".formatted(toxiproxy.getHost(), toxiproxy.getMappedPort(PORT));
    }

    /** Returns the URL of Redis itself. */
    String directUrl() {
        return "redis://%s:%d".formatted(redis.getHost(), redis.getMappedPort(REDIS));
    }

    /** Returns the proxy, to which faults can be added. */
    Proxy proxy() {
        return proxy;
    }

    /** Removes all faults. */
    void heal() throws IOException {
        client.reset();
    }

    @Override
    public void close() {
        toxiproxy.close();
        redis.close();
        network.close();
    }
}
