package io.sluice.gateway.proxy;

import static io.sluice.gateway.proxy.ProxyBed.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RawClient;
import io.sluice.handlers.upstream.RequestStage;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Server-sent events of an endpoint: they may last longer than its deadline, as long as they move. */
class LongResponseIT {
    private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n";
    private static final String EVENT = "9\r\ndata: 1\n\n\r\n";

    @Test
    void lastsBeyondTheDeadlineOfTheUpstream() throws IOException {
        int events = 10;
        try (var proxy = ProxyBed.start("sluice.upstreams.origin.deadline = 3s",
                ByteOrigin.playing(origin -> {
                    origin.request();
                    origin.send(HEAD);
                    for (int i = 0; i < events; i++) {
                        origin.send(EVENT);
                        Thread.sleep(500); // events come one by one, and all take longer than the deadline
                    }
                    origin.send("0\r\n\r\n").hold();
                }))) {
            assertThat(proxy.get("/events").body()).isEqualTo("data: 1\n\n".repeat(events));
        }
    }

    @Test
    void isCutOffWhenItDoesNotMoveForIdle() throws IOException {
        try (var proxy = ProxyBed.start("sluice.routes.all.idle = 1s", ByteOrigin.playing(origin -> {
            origin.request();
            origin.send(HEAD + EVENT).drain();
        })); RawClient client = proxy.connect().send(request("GET", "/events"))) {
            RawClient.Answer head = client.readHead();
            assertThat(head.status()).isEqualTo(200);
            assertThatThrownBy(() -> client.readBody(head)).isInstanceOf(IOException.class);
            assertThat(proxy.upstream().cancelledWhile(RequestStage.STREAMING)).isEqualTo(1);
            await().until(() -> proxy.origin().open() == 0);
            await().until(() -> proxy.upstream().permits().stats().busy() == 0);
        }
    }

    /** A request that waits has to have its response begin in time; it may end later. */
    @Test
    void doesNotCountAsTimeThatTheNextRequestsNeed() throws IOException {
        String settings = "sluice.upstreams.origin { concurrency = 1, deadline = 6400ms }";
        var first = new AtomicBoolean(true);
        var end = new CountDownLatch(1);
        try (var proxy = ProxyBed.start(settings, ByteOrigin.playing(origin -> {
            while (origin.request() != null) {
                origin.send(HEAD);
                if (first.getAndSet(false)) {
                    Thread.sleep(2000); // the time for which a permit is held; a response begins at once
                } else {
                    end.await();
                }
                origin.send("0\r\n\r\n");
            }
        }))) {
            assertThat(proxy.get("/").status()).isEqualTo(200);
            try (RawClient running = proxy.connect().send(request("GET", "/"));
                    RawClient waiting = proxy.connect(); RawClient last = proxy.connect()) {
                assertThat(running.readHead().status()).isEqualTo(200);
                waiting.send(request("GET", "/"));
                await().until(() -> proxy.upstream().permits().stats().queued() == 1);
                last.send(request("GET", "/"));
                await("for 4 s at most").until(() -> proxy.upstream().permits().stats().queued() == 2);
                end.countDown();
                assertThat(last.read().status()).isEqualTo(200);
            }
        }
    }
}
