package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.admin.ReloadException;
import io.sluice.gateway.tls.TestCertificates;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reload: ports that move, and when. */
class ReloadPortsIT {
    private static final String HELLO = "sluice.routes.hello { path = /hello, handler = text, text = %s }\n";

    @Test
    void aPortIsOpenedWhereItsAddressChanges() throws Exception {
        int port = RunningGateway.freePort();
        try (var gateway = RunningGateway.startAtPorts("sluice.server.port = 0\n" + HELLO.formatted("one"));
                RawClient before = gateway.connect()) {
            int old = gateway.port();
            assertThat(before.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n").read().status()).isEqualTo(200);

            gateway.reload("sluice.server.port = " + port + '\n' + HELLO.formatted("two"));
            assertThat(gateway.port()).isEqualTo(port).isNotEqualTo(old);
            assertThat(gateway.get("/hello").body()).isEqualTo("two");
            assertThat(before.send("GET /hello HTTP/1.1\r\nHost: x\r\n\r\n").read().body())
                    .as("a connection to the port that was closed").isEqualTo("two");
            await("another server of the tests may have got the port").untilAsserted(() ->
                    assertThatThrownBy(() -> new RawClient(old)).isInstanceOf(ConnectException.class));
        }
    }

    /** The port that is taken is noticed when the former ones are closed: they exclude the next ones. */
    @Test
    void aPortThatIsTakenChangesNoOther(@TempDir Path folder) throws Exception {
        TestCertificates.write(folder, "a", TestCertificates.LOCALHOST);
        String ports = """
                sluice.admin { host = 127.0.0.1, port = %d }
                sluice.server { host = %s, port = %d }
                """;
        try (var taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.3"))) {
            int admin = taken.getLocalPort();
            int port = RunningGateway.freePort();
            try (var gateway = RunningGateway.startAtItsPorts(
                    ports.formatted(admin, "127.0.0.1", port) + HELLO.formatted("one"))) {
                String tls = """
                        sluice.tls { port = 0, certificate = "%1$s/a.crt", private-key = "%1$s/a.key" }
                        """.formatted(folder);
                assertThatThrownBy(() -> gateway.reload(ports.formatted(port, "0.0.0.0", admin) + tls))
                        .isInstanceOf(ReloadException.class).hasMessageContaining("sluice.server.port: ");
                gateway.reload(ports.formatted(admin, "127.0.0.1", port) + HELLO.formatted("two"));
                assertThat(gateway.port()).isEqualTo(port);
                assertThat(gateway.get("/hello").body()).isEqualTo("two");
                assertThat(gateway.getAdmin("/livez").statusCode()).isEqualTo(200);
            }
        }
    }

    @Test
    void portsMoveToOneAnother() throws Exception {
        String ports = "sluice { admin.port = %d, server { host = 127.0.0.1, port = %d } }\n";
        int one = RunningGateway.freePort();
        int two = RunningGateway.freePort();
        try (var gateway = RunningGateway.startAtItsPorts(ports.formatted(one, two))) {
            gateway.reload(ports.formatted(two, one) + HELLO.formatted("moved"));
            assertThat(gateway.port()).isEqualTo(one);
            assertThat(gateway.get("/hello").body()).isEqualTo("moved");
            gateway.reload(ports.replace("127.0.0.1", "localhost").formatted(two, one)
                    + HELLO.formatted("named"));
            assertThat(gateway.get("/hello").body()).isEqualTo("named");
            assertThat(gateway.getAdmin("/livez").statusCode()).isEqualTo(200);
        }
    }

    /** The host changes, so that the present address and the next one exclude each other. */
    @Test
    void aReloadWhoseScriptHangsNeitherMovesPortsNorKeepsTheGatewayFromStopping(@TempDir Path folder)
            throws Exception {
        Path begun = folder.resolve("begun");
        Path script = Files.writeString(folder.resolve("script.sql"), """
                CALL CSVWRITE('%s', 'SELECT 1');
                CREATE ALIAS SLEEP FOR "java.lang.Thread.sleep(long)"; -- keeps the reload in progress
                CALL SLEEP(60000);
                """.formatted(begun));
        String ports = "sluice { admin.port = 0, server { host = %s, port = %d } }\n";
        int port = RunningGateway.freePort();
        try (var gateway = RunningGateway.startAtItsPorts(ports.formatted("127.0.0.1", port))) {
            Files.writeString(gateway.file(), ports.formatted("0.0.0.0", port) + """
                    sluice.offload.pools.main { workers = 1 }
                    sluice.databases.hangs { url = "jdbc:h2:mem:hangs", user = sa, pool = main
                      init-script = "%s" }
                    """.formatted(script));
            gateway.client().sendAsync(HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:" + gateway.adminPort() + "/reload"))
                    .POST(HttpRequest.BodyPublishers.noBody()).build(), BodyHandlers.discarding());
            await().until(() -> Files.exists(begun));
            assertThat(gateway.get("/").statusCode()).isEqualTo(404);
            assertThatThrownBy(() -> new Socket("127.0.0.2", port)).isInstanceOf(ConnectException.class);
            long stopped = System.nanoTime();
            gateway.stop();
            assertThat(Duration.ofNanos(System.nanoTime() - stopped)).isLessThan(Duration.ofSeconds(30));
        }
    }
}
