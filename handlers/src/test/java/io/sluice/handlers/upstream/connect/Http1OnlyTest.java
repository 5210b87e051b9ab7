package io.sluice.handlers.upstream.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.sluice.config.type.EndpointUrl;
import io.sluice.handlers.upstream.endpoint.EndpointAddresses;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connections that offer HTTP/1.1 only, to an endpoint that has two addresses. */
class Http1OnlyTest {
    /** A fatal alert of TLS, no_application_protocol. */
    private static final byte[] ALERT = {21, 3, 3, 0, 2, 2, 120};

    private final MultiThreadIoEventLoopGroup group =
            new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EndpointAddresses addresses = new EndpointAddresses();
    private final CompletableFuture<Throwable> told = new CompletableFuture<>();
    private ServerSocket endpoint;

    @BeforeEach
    void listen() throws IOException {
        endpoint = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        addresses.set(List.of((InetSocketAddress) endpoint.getLocalSocketAddress(),
                new InetSocketAddress("127.0.0.2", 9)));
    }

    @AfterEach
    void stop() throws IOException {
        endpoint.close();
        group.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    private Throwable failure(boolean http1Only) throws Exception {
        SslContext tls = SslContextBuilder.forClient().sslProvider(SslProvider.JDK).build();
        var target = new TcpConnector.Target(EndpointUrl.parse("https://localhost"), addresses, _ -> { },
                (host, port) -> tls.newHandler(ByteBufAllocator.DEFAULT, host, port), false);
        EventLoop loop = group.next();
        var all = new TcpConnector(target, loop,
                new Bootstrap().channel(NioSocketChannel.class).disableResolver(), Duration.ofSeconds(1));
        loop.execute(() -> (http1Only ? all.ofHttp1() : all).connect(null, new Connector.User() {
            @Override
            public void connected(Channel channel, boolean http2) {
                told.completeExceptionally(new AssertionError());
            }

            @Override
            public void failed(Throwable cause) {
                told.complete(cause);
            }
        }));
        return told.get(30, TimeUnit.SECONDS);
    }

    private void answer(String with) {
        Thread.startVirtualThread(() -> {
            try (Socket connection = endpoint.accept()) {
                connection.getInputStream().read();
                switch (with) {
                    case "alert" -> connection.getOutputStream().write(ALERT);
                    case "close" -> connection.shutdownOutput();
                    default -> { }
                }
                connection.getInputStream().transferTo(OutputStream.nullOutputStream());
            } catch (IOException e) {
                told.completeExceptionally(e);
            }
        });
    }

    /** A client that repeats handshakes of WebSockets must not move others to an address that is dead. */
    @ParameterizedTest
    @CsvSource({"alert, true, true", "alert, false, false", "close, true, false", "nothing, true, false"})
    void mayBeRefused(String answer, boolean http1Only, boolean isRefusal) throws Exception {
        InetSocketAddress first = addresses.preferred();
        answer(answer);

        assertThat(failure(http1Only) instanceof Http1RefusedException).isEqualTo(isRefusal);
        assertThat(first.equals(addresses.preferred())).isEqualTo(isRefusal);
    }
}
