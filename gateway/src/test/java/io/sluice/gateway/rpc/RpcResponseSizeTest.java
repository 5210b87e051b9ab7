package io.sluice.gateway.rpc;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.sluice.gateway.rpc.RpcTestBed.Ended;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.http.EchoHandler;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers over {@code ws-rpc} of all sizes, whole or streamed, from the event loop or a worker. */
class RpcResponseSizeTest {
    private static final int LIMIT = 1000;

    private final Queue<String> events = new ConcurrentLinkedQueue<>();
    private final RpcTestBed bed = new RpcTestBed(100, LIMIT,
            route("/whole", exchange -> answer(exchange, "a".repeat(size(exchange)))),
            route("/loop", exchange -> write(exchange, size(exchange))),
            route("/worker", exchange -> Thread.ofVirtual().start(() -> write(exchange, size(exchange)))),
            route("/declared", this::declared),
            route("/echo", new EchoHandler()));

    @AfterEach
    void close() {
        bed.close();
    }

    private static int size(Exchange exchange) {
        return Integer.parseInt(exchange.queryParameter("size"));
    }

    private void write(Exchange exchange, int size) {
        exchange.eventLoop().execute(() -> exchange.onAbort(() -> events.add("aborted")));
        write(exchange.stream(head()), exchange, size);
    }

    private void write(ResponseStream stream, Exchange exchange, int size) {
        stream.onWritable(() -> events.add("woken"));
        for (int left = size; left > 0; left -= 100) {
            stream.write(exchange.alloc().buffer().writeBytes("a".repeat(Math.min(left, 100)).getBytes()));
        }
        stream.end();
        stream.end();
        events.add("written");
    }

    private void declared(Exchange exchange) {
        HttpResponse head = head();
        head.headers().set(HttpHeaderNames.CONTENT_LENGTH, 10);
        write(exchange.stream(head), exchange, size(exchange));
    }

    private static HttpResponse head() {
        return new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.CREATED);
    }

    @ParameterizedTest
    @CsvSource({"/whole, 0, 200", "/whole, 1000, 200", "/loop, 0, 201", "/loop, 1000, 201", "/worker, 0, 201",
        "/worker, 1, 201", "/worker, 1000, 201", "/declared, 10, 201"})
    void responseWithinTheLimitIsSent(String path, int size, int status) {
        assertThat(bed.ask("{'path':'" + path + "','query':{'size':" + size + "}}")).isEqualTo(
                "{'id':null,'status':" + status + (size == 0 ? "}" : ",'body':'" + "a".repeat(size) + "'}"));
        assertThat(bed.ended).containsExactly(new Ended("socket-1", "GET", path, status, size));
        assertThat(events).doesNotContain("aborted");
    }

    @ParameterizedTest
    @CsvSource({"/whole, 1001", "/loop, 1001", "/loop, 20000", "/worker, 1001", "/worker, 20000"})
    void oversizedResponsesBecomeErrors(String path, int size) {
        String answer = bed.ask("{'id':1,'path':'" + path + "','query':{'size':" + size + "}}");

        assertThat(answer).startsWith("{'id':1,'status':500,");
        assertThat(RpcTestBed.body(answer).get("detail").asString()).isEqualTo(
                "the response is too large for a socket (expected: at most 1000 bytes; max-answer)");
        if (!path.equals("/whole")) {
            await().until(() -> events.contains("aborted") && events.contains("woken")
                    && events.contains("written"));
        }
        assertThat(bed.ended).extracting(Ended::status).containsExactly(500);
    }

    @Test
    void anotherLengthThanDeclaredIsAnError() {
        for (int size : new int[] {9, 11}) {
            assertThat(bed.ask("{'path':'/declared','query':{'size':" + size + "}}"))
                    .startsWith("{'id':null,'status':500,");
        }
    }

    @ParameterizedTest
    @CsvSource({"/whole, 200", "/loop, 201", "/worker, 201", "/declared, 201"})
    void aHeadOfAnySizeIsAnswered(String path, int status) {
        assertThat(bed.ask("{'method':'HEAD','path':'" + path + "','query':{'size':5000}}"))
                .isEqualTo("{'id':null,'status':" + status + "}");
        assertThat(bed.ended).extracting(Ended::bytes).containsExactly(0L);
    }

    @Test
    void aBodyOnItsWayBackIsCutAtTheSameLimit() {
        assertThat(bed.ask("{'method':'POST','path':'/echo','body':'" + "a".repeat(998) + "'}"))
                .startsWith("{'id':null,'status':200,");
        assertThat(bed.ask("{'method':'POST','path':'/echo','body':'" + "a".repeat(999) + "'}"))
                .startsWith("{'id':null,'status':500,");
    }

    @Test
    void emptyPiecesTakeNoMemory() {
        var stream = new CollectedStream(null, new ResponseMemory(() -> { }), head(),
                PooledByteBufAllocator.DEFAULT,
                ImmediateEventExecutor.INSTANCE, false, LIMIT);
        stream.write(Unpooled.EMPTY_BUFFER);
        ByteBuf none = stream.take();
        assertThat(none).isSameAs(Unpooled.EMPTY_BUFFER);

        stream.write(Unpooled.EMPTY_BUFFER);
        stream.write(Unpooled.copiedBuffer(new byte[] {1}));
        stream.close();
    }
}
