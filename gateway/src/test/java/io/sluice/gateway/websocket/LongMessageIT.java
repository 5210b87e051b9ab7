package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.tls.TestCertificates;
import io.sluice.gateway.tunnel.Http;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The CPU time of the longest event-loop task for the longest messages that a configuration accepts. */
@Timeout(180)
class LongMessageIT {
    private static final Duration BUDGET = Duration.ofMillis(5);
    private static final int SIZE = 16 << 20;
    private static final int PART = 16 * 1024;

    @TempDir
    private Path folder;

    private enum Way { HTTP_1_1, HTTP_2, TLS }

    private RunningGateway gateway() {
        return RunningGateway.start("""
                sluice {
                  server.worker-threads = 1
                  tls { %s, provider = OPENSSL }
                  routes.ws { path = /ws, handler = ws-echo }
                }
                """.formatted(TestCertificates.write(folder, "a", TestCertificates.LOCALHOST)));
    }

    private static RawSocket open(Way way, RunningGateway gateway) throws Exception {
        Socket connected = switch (way) {
            case HTTP_1_1 -> Http.HTTP_1_1.connect(gateway.port(), 0);
            case HTTP_2 -> Http.HTTP_2.connect(gateway.port(), 0);
            case TLS -> TestCertificates.client().getSocketFactory()
                    .createSocket("localhost", gateway.tlsPort());
        };
        return RawSocket.over(connected).upgrade("/ws", RawSocket.DEFLATE);
    }

    private static byte[] fragments() {
        var all = new byte[SIZE / PART][];
        Arrays.fill(all, ClientFrame.of(Opcode.CONTINUATION, new byte[PART]));
        all[0] = ClientFrame.of(Opcode.BINARY, new byte[PART]);
        all[all.length - 1] = ClientFrame.of(Opcode.CONTINUATION | ClientFrame.FIN, new byte[PART]);
        return ClientFrame.join(all);
    }

    @ParameterizedTest
    @EnumSource
    void areCollectedAndSentInShortTasks(Way way) throws Exception {
        try (var gateway = gateway(); RawSocket socket = open(way, gateway)) {
            byte[] compressed = ClientFrame.of(ClientFrame.BINARY | ClientFrame.COMPRESSED,
                    ClientFrame.deflated(new byte[SIZE]));
            for (byte[] message : new byte[][] {ClientFrame.of(ClientFrame.BINARY, new byte[SIZE]),
                fragments(), compressed}) {
                gateway.loopBudget().requireBelow(BUDGET, () -> echo(socket, message));
            }
        }
    }

    private static void echo(RawSocket socket, byte[] message) throws Exception {
        Thread sender = Thread.ofVirtual().start(() -> {
            try {
                socket.send(message);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        assertThat(socket.read().payload()).hasSize(SIZE);
        sender.join();
    }

    /**
     * The close frame of the gateway follows, and the connection ends, behind all of the reply. Over HTTP/2,
     * the client also closes its half of the stream.
     */
    @ParameterizedTest
    @EnumSource
    void areSentWholeToAClientThatCloses(Way way) throws Exception {
        try (var gateway = gateway(); RawSocket socket = open(way, gateway)) {
            Thread sender = Thread.ofVirtual().start(() -> {
                try {
                    socket.send(ClientFrame.of(ClientFrame.BINARY, new byte[SIZE]),
                            ClientFrame.close(1000, ""));
                    if (way == Way.HTTP_2) {
                        socket.socket().shutdownOutput();
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            assertThat(socket.read().payload()).hasSize(SIZE);
            assertThat(socket.read().closeCode()).isEqualTo(1000);
            assertThat(socket.isClosed()).isTrue();
            sender.join();
        }
    }
}
