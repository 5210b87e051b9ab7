package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RunningGateway;
import io.sluice.gateway.proxy.ByteOrigin;
import io.sluice.gateway.proxy.ProxyBed;
import io.sluice.gateway.tunnel.Http;
import io.sluice.handlers.upstream.Upstream;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Reloads with proxied WebSockets open, from clients of HTTP/1.1 and HTTP/2. */
@ParameterizedClass
@EnumSource
class ProxiedSocketReloadIT {
    @Parameter
    private Http http;
    private RunningGateway endpoint;
    private RunningGateway gateway;
    private RawSocket socket;

    @BeforeEach
    void open() throws IOException {
        endpoint = RunningGateway.start("sluice.routes.ws { path = /ws, handler = ws-echo }");
        gateway = RunningGateway.start(config("one", ""));
        socket = RawSocket.open(http, gateway.port(), "/ws");
        echo();
    }

    private String config(String upstream, String keys) {
        return """
                sluice {
                  upstreams { %1$s { endpoints = ["http://127.0.0.1:%2$d"], %3$s } }
                  routes.proxy { path = "/**", handler = proxy, upstream = %1$s }
                }
                """.formatted(upstream, endpoint.port(), keys);
    }

    private void echo() throws IOException {
        socket.send(ClientFrame.of(ClientFrame.TEXT, "hello"));
        assertThat(socket.read().text()).isEqualTo("hello");
    }

    @AfterEach
    void close() throws IOException {
        socket.close();
        gateway.close();
        endpoint.close();
    }

    @Test
    void areClosedWith1001WhenTheirRouteGoes() throws Exception {
        assertThat(gateway.reload("").get("socketsClosing")).isEqualTo(1);
        assertThat(socket.read().closeCode()).isEqualTo(1001);
        socket.send(ClientFrame.close(1001, ""));
        assertThat(socket.isClosed()).isTrue();
        await().until(() -> endpoint.getAdmin("/metrics").body().contains("sluice_tunnels 0.0"));
    }

    @Test
    void areClosedBehindTheFrameThatIsOnItsWay() throws Exception {
        var gone = new CountDownLatch(1);
        var told = new CompletableFuture<String>();
        try (var origin = ByteOrigin.playing(connection -> {
            connection.send(connection.accepted());
            connection.send("\u0081\2hi\u0081\5he"); // the second begins in the same segment
            gone.await();
            connection.send("llo\u0081\5and");
            told.complete(connection.read(8));
        }); var proxy = ProxyBed.start(origin);
                RawSocket open = RawSocket.open(http, proxy.gateway().port(), "/ws")) {
            assertThat(open.read().text()).isEqualTo("hi");
            assertThat(proxy.gateway().reload("").get("socketsClosing")).isEqualTo(1);
            assertThat(proxy.gateway().get("/").statusCode()).as("on the same event loop, behind the drain")
                    .isEqualTo(404);
            gone.countDown();
            assertThat(open.read().text()).isEqualTo("hello");
            assertThat(open.read().closeCode()).isEqualTo(1001);
            assertThat(told.get()).isEqualTo("\u0088\u0082\0\0\0\0\3\u00e9");
        }
    }

    @Test
    void haveNoSecondCloseFrame() throws Exception {
        var told = new CompletableFuture<String>();
        try (var origin = ByteOrigin.playing(connection -> {
            connection.send(connection.accepted() + "\u0088\2\3\u00e8");
            told.complete(connection.read(8));
        }); var proxy = ProxyBed.start(origin);
                RawSocket open = RawSocket.open(http, proxy.gateway().port(), "/ws")) {
            assertThat(open.read().closeCode()).isEqualTo(1000);
            assertThat(proxy.gateway().reload("").get("socketsClosing")).isEqualTo(1);
            assertThat(open.isClosed()).isTrue();
            assertThat(told.get()).isEqualTo("\u0088\u0082\0\0\0\0\3\u00e9"); // the answer to its own
        }
    }

    @Test
    void areClosedWith1001WhenTheirRouteLeadsElsewhere() throws Exception {
        assertThat(gateway.reload(config("two", "")).get("socketsClosing")).isEqualTo(1);
        assertThat(socket.read().closeCode()).isEqualTo(1001);
    }

    @Test
    void stayOnAnUpstreamThatChangesOrNot() throws Exception {
        var former = new WeakReference<Upstream>(gateway.upstream("one"));
        assertThat(gateway.reload(config("one", "") + "sluice.routes.proxy.tunnel-idle = 1m")
                .get("socketsClosing")).isEqualTo(0);
        assertThat(gateway.upstream("one")).isSameAs(former.get());
        echo();

        gateway.reload(config("one", "concurrency = 7"));
        // twice, since a site refers to the resources of its predecessor
        gateway.reload(config("one", "concurrency = 8"));
        await().until(() -> {
            System.gc();
            return former.get() == null;
        });
        echo();
    }
}
