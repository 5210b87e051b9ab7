package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.TlsConfig.Provider;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.tls.TestCertificates;
import io.sluice.gateway.tls.TlsServer;
import io.sluice.gateway.websocket.SocketServer.Recorder;
import io.sluice.handlers.WebSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of WebSockets over TLS, with both providers. */
@ParameterizedClass
@EnumSource(value = Provider.class, names = {"OPENSSL", "JDK"})
class SecureSocketIT {
    @Parameter
    private Provider provider;
    @TempDir
    private Path folder;

    /** A handler that sends while the socket is writable. */
    private static final class Flood extends Recorder {

        @Override
        public void opened(WebSocket socket) {
            super.opened(socket);
            writable(socket);
        }

        @Override
        public void writable(WebSocket socket) {
            while (socket.isWritable()) {
                socket.sendBinary(socket.alloc().buffer(8192).writeZero(8192));
            }
        }
    }

    private TlsServer server(Recorder handler) {
        String files = TestCertificates.write(folder, "a", TestCertificates.LOCALHOST);
        return new TlsServer(TlsServer.config(folder, files + ", provider = " + provider),
                HandlerServer.route("/", new WebSocketUpgrade(handler,
                        SocketServer.route("/", new SocketSettings()))));
    }

    private static SSLSocket connect(TlsServer server, String version) throws Exception {
        SSLContext context = TestCertificates.client();
        var tcp = new Socket();
        tcp.setReceiveBufferSize(16 * 1024);
        tcp.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        var socket = (SSLSocket) context.getSocketFactory()
                .createSocket(tcp, "localhost", server.port(), true);
        socket.setEnabledProtocols(new String[] {version});
        socket.startHandshake();
        return socket;
    }

    /** The server has more bytes to send than the client reads. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void closeNotifyOfTheClientClosesTheSocket(String version) throws Exception {
        var handler = new Flood();
        try (TlsServer server = server(handler); SSLSocket client = connect(server, version);
                RawSocket socket = RawSocket.over(client)) {
            socket.upgrade("/").read();
            assertThat(handler.next()).isEqualTo("opened");

            client.shutdownOutput();

            assertThat(handler.next()).isEqualTo("closed");
        }
    }

    @Test
    void closeHandshakeClosesTheConnection() throws Exception {
        var handler = new Recorder();
        try (TlsServer server = server(handler); SSLSocket client = connect(server, "TLSv1.3");
                RawSocket socket = RawSocket.over(client)) {
            socket.upgrade("/").send(ClientFrame.of(ClientFrame.TEXT, "hello"));
            assertThat(handler.next() + handler.next()).isEqualTo("openedtext hello");
            socket.send(ClientFrame.close(1000, ""));

            assertThat(socket.read().closeCode()).isEqualTo(1000);
            assertThat(socket.isClosed()).isTrue();
            assertThat(handler.next()).isEqualTo("closed");
        }
    }

    /** Frames behind the invalid one are ignored, and must not prevent the close frame from arriving. */
    @Test
    void tellsAClientAtFaultThatGoesOnSending() throws Exception {
        try (TlsServer server = server(new Recorder()); SSLSocket client = connect(server, "TLSv1.2");
                RawSocket socket = RawSocket.over(client)) {
            socket.upgrade("/").send(ClientFrame.of(0x83, "reserved"), new byte[1 << 20]);

            assertThat(socket.read().closeCode()).isEqualTo(1002);
            assertThat(socket.isClosed()).isTrue();
        }
    }
}
