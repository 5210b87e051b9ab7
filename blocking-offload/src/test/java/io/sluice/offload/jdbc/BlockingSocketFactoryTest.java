package io.sluice.offload.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.net.SocketFactory;
import org.junit.jupiter.api.Test;

class BlockingSocketFactoryTest {
    private static final Queue<Socket> SOCKETS = new ConcurrentLinkedQueue<>();

    /** Keeps the sockets that are opened; loaded by the driver. */
    public static final class Recorder extends SocketFactory {
        private final SocketFactory factory = new BlockingSocketFactory();

        @Override
        public Socket createSocket() throws IOException {
            Socket socket = factory.createSocket();
            SOCKETS.add(socket);
            return socket;
        }

        @Override
        public Socket createSocket(String host, int port) {
            throw new AssertionError("the driver connects the socket itself");
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            throw new AssertionError("the driver connects the socket itself");
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress local, int localPort) {
            throw new AssertionError("the driver connects the socket itself");
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
            throw new AssertionError("the driver connects the socket itself");
        }
    }

    /** The driver ends a connection by a message, and does not close the socket if that cannot be sent. */
    @Test
    void socketsAreClosedThoughTheDriverLeavesThemOpen() throws Exception {
        connectAndReset();
        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> {
            System.gc(); // the factory is unreachable
            assertThat(SOCKETS).isNotEmpty().allMatch(Socket::isClosed);
        });
    }

    /** Opens a connection that cannot be closed in order, and forgets it. */
    private static void connectAndReset() throws Exception {
        try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var accepted = CompletableFuture.supplyAsync(() -> logIn(server));
            Connection connection = connect(server.getLocalPort());
            Socket socket = accepted.join();
            socket.setSoLinger(true, 0);
            socket.close(); // by a reset
            assertThatThrownBy(connection::close).isInstanceOf(SQLException.class);
        }
    }

    private static Connection connect(int port) throws SQLException {
        var properties = new Properties();
        properties.putAll(Map.of("user", "a", "sslmode", "disable", "gssEncMode", "disable",
                "assumeMinServerVersion", "17", "socketFactory", Recorder.class.getName()));
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/a", properties);
    }

    private static Socket logIn(ServerSocket server) {
        try {
            Socket socket = server.accept();
            var in = new DataInputStream(socket.getInputStream());
            in.readNBytes(in.readInt() - Integer.BYTES);
            var out = new DataOutputStream(socket.getOutputStream());
            message(out, 'R', new byte[Integer.BYTES]);
            for (String parameter : List.of("server_version\00017.0\0", "client_encoding\0UTF8\0",
                    "DateStyle\0ISO, MDY\0", "standard_conforming_strings\0on\0", "TimeZone\0UTC\0")) {
                message(out, 'S', parameter.getBytes(UTF_8));
            }
            message(out, 'Z', new byte[] {'I'});
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void message(DataOutputStream out, char type, byte[] body) throws IOException {
        out.writeByte(type);
        out.writeInt(Integer.BYTES + body.length);
        out.write(body);
    }
}
