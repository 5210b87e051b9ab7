package io.sluice.gateway.rpc;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.Future;
import io.sluice.config.PoolConfig;
import io.sluice.config.type.Method;
import io.sluice.gateway.rpc.RpcTestBed.Ended;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import io.sluice.offload.Offload;
import io.sluice.offload.PoolObserver;
import io.sluice.offload.WorkScope;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests over {@code ws-rpc} that end before their handler has answered. */
class RpcAbortTest {
    private static final Set<Method> GET = Set.of(Method.GET);

    private final Queue<String> events = new ConcurrentLinkedQueue<>();
    private final Queue<Exchange> exchanges = new ConcurrentLinkedQueue<>();
    private final Queue<ResponseStream> streams = new ConcurrentLinkedQueue<>();
    private final Offload pool = Offload.start("rpc", PoolConfig.of(PoolConfig.Kind.PLATFORM, 1, 10,
            Duration.ofSeconds(20)), new PoolObserver() { });
    private final RpcTestBed bed = new RpcTestBed(
            route("/wait", this::note),
            route("/work", this::work),
            route("/stream", this::stream),
            route("/body", exchange -> exchange.readBody(_ -> events.add("body"))),
            route("/throws", exchange -> {
                exchange.onAbort(() -> events.add("first"));
                exchange.onAbort(() -> {
                    throw new IllegalStateException("in an abort");
                });
                exchange.onAbort(() -> events.add("last"));
            }),
            route("/soon", GET, Duration.ofMillis(50), this::note),
            route("/soon/stream", GET, Duration.ofMillis(50), this::stream),
            route("/soon/work", GET, Duration.ofMillis(50), this::work));

    @AfterEach
    void close() {
        bed.close();
        pool.close();
    }

    private void note(Exchange exchange) {
        exchange.onAbort(() -> events.add("aborted "
                + Thread.currentThread().getName().startsWith("rpc")));
        exchanges.add(exchange);
    }

    private void stream(Exchange exchange) {
        note(exchange);
        ResponseStream stream = exchange.stream(
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        stream.onWritable(() -> events.add("woken"));
        stream.write(exchange.alloc().buffer().writeZero(10));
        streams.add(stream);
    }

    private void work(Exchange exchange) {
        Future<ByteBuf> done = pool.submit(exchange.deadline(), exchange.eventLoop(), this::untilCancelled);
        exchange.onAbort(() -> done.cancel(false));
        done.addListener(_ -> {
            events.add("done " + done.isCancelled());
            exchange.fail(done.cause());
        });
    }

    private ByteBuf untilCancelled(WorkScope scope) throws InterruptedException {
        var cancelled = new CountDownLatch(1);
        try (var _ = scope.onCancel(cancelled::countDown)) {
            cancelled.await();
        }
        return Unpooled.EMPTY_BUFFER;
    }

    @Test
    void disconnectCancelsRunningWork() {
        bed.send("{'path':'/work'}", "{'path':'/work'}", "{'path':'/wait'}", "{'path':'/body','body':[1]}");
        await().until(() -> pool.stats().busy() == 1 && pool.stats().queued() == 1);

        bed.goAway();

        await().until(() -> pool.stats().busy() == 0 && pool.stats().queued() == 0);
        await().until(() -> events.size() == 4);
        assertThat(events).containsExactlyInAnyOrder("done true", "done true", "aborted true", "body");
        assertThat(bed.ended).extracting(Ended::requestId, Ended::status).containsExactly(
                tuple("socket-1", 499), tuple("socket-2", 499), tuple("socket-3", 499),
                tuple("socket-4", 499));
    }

    @Test
    void responsesAfterADisconnectAreDropped() {
        bed.send("{'path':'/wait'}", "{'path':'/stream','body':1}");
        ResponseStream stream = streams.remove();
        bed.goAway();

        assertThat(answer(exchanges.remove(), "too late")).isFalse();
        stream.write(Unpooled.buffer().writeZero(10));
        assertThat(stream.isWritable()).isTrue();
        stream.end();
        exchanges.remove().fail(new IllegalStateException("too late"));
        assertThat(events).containsExactly("aborted true", "woken", "aborted true");
        assertThat(bed.ended).extracting(Ended::status).containsExactly(499, 499);
    }

    @Test
    void onAbortIsCalledAtOnceWhereItHasHappened() {
        bed.send("{'path':'/wait'}");
        bed.goAway();
        exchanges.remove().onAbort(() -> events.add("at once"));

        assertThat(events).containsExactly("aborted true", "at once");
    }

    @Test
    void oneAbortThatFailsDoesNotKeepOthersFromHappening() {
        bed.send("{'path':'/throws'}", "{'path':'/wait'}");
        bed.goAway();

        assertThat(events).containsExactly("first", "last", "aborted true");
    }

    @Test
    void requestBeyondItsDeadlineGets504() {
        String answer = bed.ask("{'id':1,'path':'/soon'}");

        assertThat(answer).startsWith("{'id':1,'status':504,'body':{'type':'about:blank',")
                .contains("Gateway Timeout");
        await().until(() -> events.contains("aborted true"));
        assertThat(answer(exchanges.remove(), "too late")).isFalse();
        assertThat(bed.ended).extracting(Ended::status).containsExactly(504);
    }

    @Test
    void streamBeyondItsDeadlineGets504() {
        assertThat(bed.ask("{'id':1,'path':'/soon/stream'}")).startsWith("{'id':1,'status':504,");
        await().until(() -> events.size() == 2);
        ResponseStream stream = streams.remove();
        stream.write(Unpooled.buffer().writeZero(10));
        stream.end();
        assertThat(events).containsExactlyInAnyOrder("woken", "aborted true");
        assertThat(bed.ended).extracting(Ended::status).containsExactly(504);
    }

    @Test
    void workEndsWithItsDeadline() {
        assertThat(bed.ask("{'id':1,'path':'/soon/work'}")).startsWith("{'id':1,'status':504,");
        await().until(() -> pool.stats().busy() == 0);
    }

    @Test
    void aStreamThatFailsBecomesAnError() {
        bed.send("{'id':1,'path':'/stream'}");
        exchanges.remove().fail(new IllegalStateException("half way"));

        assertThat(bed.answer()).startsWith("{'id':1,'status':500,'body':{'type':'about:blank',")
                .contains("Internal Server Error");
        await().until(() -> events.contains("aborted true"));
    }
}
