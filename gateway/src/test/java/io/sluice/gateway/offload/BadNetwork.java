package io.sluice.gateway.offload;

import eu.rekawek.toxiproxy.Proxy;
import eu.rekawek.toxiproxy.ToxiproxyClient;
import io.sluice.gateway.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import org.testcontainers.containers.Network;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.toxiproxy.ToxiproxyContainer;

/** A PostgreSQL and a toxiproxy in front of it, each in a container, on a network of their own. */
public final class BadNetwork implements AutoCloseable {
    private static final String TOXIPROXY = "ghcr.io/shopify/toxiproxy:2.12.0";
    private static final int PORT = 8666;

    private final Network network = Network.newNetwork();
    private final PostgreSQLContainer postgres = PostgresServer.container()
            .withNetwork(network).withNetworkAliases("postgres");
    private final ToxiproxyContainer toxiproxy = new ToxiproxyContainer(TOXIPROXY).withNetwork(network);
    private final ToxiproxyClient client;
    private final Proxy proxy;

    /** Starts both containers. */
    public BadNetwork() {
        try {
            postgres.start();
            toxiproxy.start();
            client = new ToxiproxyClient(toxiproxy.getHost(), toxiproxy.getControlPort());
            proxy = client.createProxy("postgres", "0.0.0.0:" + PORT,
                    "postgres:" + PostgreSQLContainer.POSTGRESQL_PORT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the proxy, to which faults can be added. */
    Proxy proxy() {
        return proxy;
    }

    /** Returns the URL of the database through the proxy. */
    public String url() {
        return "jdbc:postgresql://%s:%d/%s".formatted(toxiproxy.getHost(), toxiproxy.getMappedPort(PORT),
                postgres.getDatabaseName());
    }

    /** Returns the user, whose password is the same. */
    public String user() {
        return postgres.getUsername();
    }

    /** Kills and restarts the database. Direct connections need its new port afterwards. */
    public void killAndRestartDatabase() {
        postgres.getDockerClient().killContainerCmd(postgres.getContainerId()).exec();
        postgres.getDockerClient().startContainerCmd(postgres.getContainerId()).exec();
    }

    /** Removes all faults. */
    void heal() throws IOException {
        client.reset();
    }

    /** Returns the configuration of a database with this name, through the proxy. */
    String config(String name) {
        return """
                sluice.databases.%s { url = "%s", user = "%s", password = "%s" }
                """.formatted(name, url(), postgres.getUsername(), postgres.getPassword());
    }

    /** Returns the statements that the database runs, over a direct connection. */
    Statements statements() throws SQLException {
        return new Statements(postgres.getJdbcUrl(), postgres.getUsername(), postgres.getPassword());
    }

    @Override
    public void close() {
        toxiproxy.close();
        postgres.close();
        network.close();
    }
}
