package io.sluice.handlers.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.config.topic.LiveConfig;
import io.sluice.config.topic.TopicTemplate;
import io.sluice.config.topic.TopicsConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.FakeExchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/** Live results of a query that the test answers, and their clients. */
abstract class LiveTestBed {
    static final Duration INTERVAL = Duration.ofSeconds(1);
    static final int MAX_SIZE = 64 * 1024;

    final Topics topics = new Topics(
            new TopicsConfig(Optional.empty(), new ByteSize(0), Optional.empty(), Optional.empty()));
    final LiveConfig config = new LiveConfig("shop", TopicTemplate.parse("orders"), INTERVAL,
            Duration.ofSeconds(15), new ByteSize(MAX_SIZE), 4);
    /** The runs of the query so far. */
    final List<Exchange> runs = new ArrayList<>();
    final List<Exchange> aborted = new ArrayList<>();
    /** For two results of the largest size of a client, with their requests. */
    final LiveMemory memory = new LiveMemory(
            4 * (MAX_SIZE + new LiveRequest(new FakeExchange(HttpMethod.GET, "/orders", 0)).held()));
    final LiveResults results = new LiveResults(config, run -> {
        runs.add(run);
        run.onAbort(() -> aborted.add(run));
    }, topics, Optional.of(Duration.ofSeconds(3)), (cause, id, alloc) -> {
        HttpResponseStatus status = cause instanceof HttpException http ? http.status()
                : HttpResponseStatus.INTERNAL_SERVER_ERROR;
        return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status,
                ByteBufUtil.writeUtf8(alloc, "{\"status\":" + status.code() + "}"));
    }, memory);
    final List<FakeExchange> clients = new ArrayList<>();

    @AfterEach
    void everyClientLeaves() {
        clients.forEach(FakeExchange::leave);
        settle();
        assertThat(results.stats().results()).isZero();
        assertThat(results.stats().streams()).isZero();
        assertThat(memory.bytes()).isZero();
        assertThat(topics.stats().topics()).isZero();
    }

    final FakeExchange stream(String order, String tag) {
        var client = new FakeExchange(HttpMethod.GET, "/orders", 0);
        client.handledBy(exchange -> {
            LiveResult result = results.join(Map.of("id", order), "orders", new LiveRequest(exchange));
            new LiveStream(result, exchange, tag).begin(config.heartbeat());
        });
        clients.add(client);
        settle();
        assertThat(client.failure()).isNull();
        return client;
    }

    final FakeExchange stream() {
        return stream("7", null);
    }

    final void settle() {
        for (int i = 0; i < 5; i++) {
            clients.forEach(FakeExchange::settle);
        }
    }

    /** Lets time pass on all loops. */
    final void pass(Duration time) {
        clients.forEach(client -> client.pass(time));
        settle();
    }

    final void publish() {
        var message = new SharedMessage(true, Unpooled.copiedBuffer("changed", StandardCharsets.UTF_8));
        topics.publish("orders", message, null, null, clients.getFirst().eventLoop());
        message.release();
        settle();
    }

    final void respond(String json, String... headers) {
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, bytes(json));
        for (int i = 0; i < headers.length; i += 2) {
            response.headers().set(headers[i], headers[i + 1]);
        }
        runs.getLast().respond(response);
        settle();
    }

    final void fail(int status) {
        runs.getLast().fail(new HttpException(HttpResponseStatus.valueOf(status), "test"));
        settle();
    }

    static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }

    /** Returns what a client was sent, behind the time after which it comes back. */
    static String eventsOf(FakeExchange client) {
        String text = client.answer().text();
        assertThat(text).startsWith("retry: ");
        return text.substring(text.indexOf('\n') + 1);
    }

    static String idOf(String events) {
        return events.replaceAll("(?s).*\nid: ([^\n]+)\n.*", "$1");
    }
}
