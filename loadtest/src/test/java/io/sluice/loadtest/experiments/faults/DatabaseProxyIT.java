package io.sluice.loadtest.experiments.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.loadtest.experiments.wire.Traffic;
import io.sluice.loadtest.experiments.wire.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DatabaseProxyIT {

    private static final Duration DELAY = Duration.ofMillis(50);

    @Test
    void carriesBothWaysAndGoesToAnotherDatabaseForNewConnections() throws Exception {
        try (var one = new Echo(1); var two = new Echo(2); var proxy = new DatabaseProxy(one.port());
                var first = open(proxy)) {
            assertThat(ask(first)).isEqualTo(1);
            proxy.target(two.port());
            try (var second = open(proxy)) {
                assertThat(ask(second)).isEqualTo(2);
                assertThat(ask(first)).isEqualTo(1);
            }
        }
    }

    @Test
    void isDownAndMended() throws Exception {
        try (var echo = new Echo(1); var proxy = new DatabaseProxy(echo.port()); var before = open(proxy)) {
            assertThat(ask(before)).isEqualTo(1);
            proxy.down();
            assertThatThrownBy(() -> ask(before)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> {
                try (var during = open(proxy)) {
                    ask(during);
                }
            }).isInstanceOf(IOException.class);
            proxy.mend();
            try (var after = open(proxy)) {
                assertThat(ask(after)).isEqualTo(1);
            }
        }
    }

    @Test
    void isSlow() throws Exception {
        try (var echo = new Echo(1); var proxy = new DatabaseProxy(echo.port()); var wire = open(proxy)) {
            proxy.slow(DELAY);
            long begin = System.nanoTime();
            assertThat(ask(wire)).isEqualTo(1);
            assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(DELAY);
        }
    }

    @Test
    void resetsAfterSoManyBytes() throws Exception {
        try (var echo = new Echo(1); var proxy = new DatabaseProxy(echo.port()); var wire = open(proxy)) {
            assertThat(ask(wire)).isEqualTo(1);
            proxy.resetAfter(2);
            assertThat(ask(wire)).isEqualTo(1);
            assertThat(ask(wire)).isEqualTo(1);
            assertThatThrownBy(() -> ask(wire)).isInstanceOf(IOException.class);
        }
    }

    private static Wire open(DatabaseProxy proxy) throws IOException {
        return Wire.open("127.0.0.1", proxy.port(), 0, new Traffic());
    }

    private static int ask(Wire wire) throws IOException {
        wire.send("?");
        return wire.read(1)[0];
    }

    /** A server that answers each byte with the server's number. */
    private static final class Echo implements AutoCloseable {

        private final ServerSocket listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        private final int number;

        Echo(int number) throws IOException {
            this.number = number;
            Thread.ofVirtual().start(this::accept);
        }

        int port() {
            return listener.getLocalPort();
        }

        private void accept() {
            while (!listener.isClosed()) {
                try {
                    var client = listener.accept();
                    Thread.ofVirtual().start(() -> {
                        try (client) {
                            while (client.getInputStream().read() >= 0) {
                                client.getOutputStream().write(number);
                            }
                        } catch (IOException _) {
                            // the proxy has closed the connection
                        }
                    });
                } catch (IOException _) {
                    // the listener is closed
                }
            }
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }
    }
}
