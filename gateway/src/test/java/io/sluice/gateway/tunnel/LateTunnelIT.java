package io.sluice.gateway.tunnel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.handlers.Exchange;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A tunnel that is answered late, as by a proxy. Its client sends bytes or disconnects before the answer. */
@ParameterizedClass
@EnumSource(Http.class)
class LateTunnelIT extends TunnelTestBed {
    /** Bytes that HTTP would parse as a request, as empty lines, and as an invalid request. */
    private static final String EARLY = "GET /other HTTP/1.1\r\nHost: a\r\n\r\n\r\n\r\n\0\1\2 \r\n\r\n";

    private final CompletableFuture<Void> aborted = new CompletableFuture<>();

    @BeforeEach
    void isNotAnsweredAtOnce() {
        waits = true;
    }

    private TunnelClient ask() throws IOException {
        return new TunnelClient(http.connect(server.port(), 64 * 1024)).ask();
    }

    private Exchange asked() throws InterruptedException {
        Exchange exchange = waiting.poll(30, TimeUnit.SECONDS);
        exchange.eventLoop().submit(() -> exchange.onAbort(() -> aborted.complete(null)))
                .syncUninterruptibly();
        return exchange;
    }

    private void open(Exchange exchange) throws InterruptedException {
        exchange.eventLoop().execute(() -> tunnel.accept(exchange));
        assertThat(tunnel.next()).isEqualTo("opened");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void getsAllThatItsClientHasSent(boolean withItsRequest) throws Exception {
        try (TunnelClient client = ask()) {
            if (withItsRequest) {
                client.send(EARLY);
            }
            Exchange exchange = asked();
            for (char c : EARLY.toCharArray()) {
                client.send(String.valueOf(c));
                server.settle();
            }
            open(exchange);
            client.head();
            client.send("late");

            String sent = (withItsRequest ? EARLY : "") + EARLY + "late";
            assertThat(client.read(sent.length())).isEqualTo(sent);
        }
        assertClosed();
    }

    @Test
    void letsItsClientWaitThatSendsTooMuch() throws Exception {
        int all = 8_000;
        var sent = new AtomicInteger();
        String kilobyte = "GET / HTTP/1.1\r\n\r\n".repeat(57).substring(0, 1024);
        try (TunnelClient client = ask()) {
            Exchange exchange = asked();
            var sending = CompletableFuture.runAsync(() -> {
                try {
                    for (; sent.get() < all; sent.incrementAndGet()) {
                        client.send(kilobyte);
                    }
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            var before = new AtomicInteger(-1);
            await().during(Duration.ofMillis(300)).until(
                    () -> sent.get() > 0 && before.getAndSet(sent.get()) == sent.get());
            assertThat(sent.get()).isBetween(1, 2_000);
            open(exchange);
            client.head();

            assertThat(client.read(all << 10).equals(kilobyte.repeat(all))).isTrue();
            sending.join();
        }
        assertClosed();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isNotOpenedWhereItsClientHasGone(boolean reset) throws Exception {
        TunnelClient client = ask();
        Exchange exchange = asked();
        client.send(EARLY);
        server.settle();
        if (reset) {
            client.reset();
        } else {
            client.close();
        }
        aborted.get(30, TimeUnit.SECONDS);
        exchange.eventLoop().submit(() -> tunnel.accept(exchange)).syncUninterruptibly();

        assertThat(tunnel.next()).isEqualTo("aborted");
        await().until(() -> server.ended().size() == 1);
        assertThat(server.ended()).singleElement().matches(ended -> ended.status() == 499);
    }
}
