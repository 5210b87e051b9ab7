package io.sluice.handlers.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpResponse;
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
import io.sluice.handlers.ResponseStream;
import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.topic.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LiveResultTest {
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final int MAX_SIZE = 64 * 1024;

    private final Topics topics = new Topics(
            new TopicsConfig(Optional.empty(), new ByteSize(0), Optional.empty(), Optional.empty()));
    private final LiveConfig config = new LiveConfig("shop", TopicTemplate.parse("orders"), INTERVAL,
            Duration.ofSeconds(15), new ByteSize(MAX_SIZE), 2);
    /** The runs of the query so far. */
    private final List<Exchange> runs = new ArrayList<>();
    private final List<Exchange> aborted = new ArrayList<>();
    private final LiveResults results = new LiveResults(config, run -> {
        runs.add(run);
        run.onAbort(() -> aborted.add(run));
    }, topics, Optional.of(Duration.ofSeconds(3)), (cause, id, alloc) -> {
        HttpResponseStatus status = cause instanceof HttpException http ? http.status()
                : HttpResponseStatus.INTERNAL_SERVER_ERROR;
        return new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status,
                ByteBufUtil.writeUtf8(alloc, "{\"status\":" + status.code() + "}"));
    });
    private final List<FakeExchange> clients = new ArrayList<>();

    @AfterEach
    void everyClientLeaves() {
        clients.forEach(FakeExchange::leave);
        settle();
        assertThat(results.stats().results()).isZero();
        assertThat(results.stats().streams()).isZero();
        assertThat(topics.stats().topics()).isZero();
    }

    private FakeExchange stream(String order, String tag) {
        var client = new FakeExchange(HttpMethod.GET, "/orders", 0);
        client.handledBy(exchange -> {
            LiveResult result = results.join(Map.of("id", order), "orders", new LiveRequest(exchange));
            assertThat(new LiveStream(result, exchange, tag).begin(config.heartbeat())).isTrue();
        });
        clients.add(client);
        settle();
        assertThat(client.failure()).isNull();
        return client;
    }

    private FakeExchange stream() {
        return stream("7", null);
    }

    private void settle() {
        for (int i = 0; i < 5; i++) {
            clients.forEach(FakeExchange::settle);
        }
    }

    /** Lets time pass on all loops. */
    private void pass(Duration time) {
        clients.forEach(client -> client.pass(time));
        settle();
    }

    private void publish() {
        var message = new SharedMessage(true, Unpooled.copiedBuffer("changed", StandardCharsets.UTF_8));
        topics.publish("orders", message, null, clients.getFirst().eventLoop());
        message.release();
        settle();
    }

    private void respond(String json, String... headers) {
        var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, bytes(json));
        for (int i = 0; i < headers.length; i += 2) {
            response.headers().set(headers[i], headers[i + 1]);
        }
        runs.getLast().respond(response);
        settle();
    }

    private void fail(int status) {
        runs.getLast().fail(new HttpException(HttpResponseStatus.valueOf(status), "test"));
        settle();
    }

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
    }

    private static String idOf(String events) {
        return events.replaceAll("(?s).*\nid: ([^\n]+)\n.*", "$1");
    }

    @Test
    void streamsOfOneResultShareItsRuns() {
        FakeExchange one = stream();
        FakeExchange two = stream();
        assertThat(one.answer().isHeadSent()).isTrue();
        assertThat(one.answer().headers().get("content-type")).isEqualTo("text/event-stream");
        respond("[{\"id\":7}]");
        FakeExchange late = stream();

        assertThat(runs).hasSize(1);
        assertThat(runs.getFirst().headers().get("accept")).isEqualTo("application/json");
        assertThat(runs.getFirst().deadline().remainingNanos()).isEqualTo(Duration.ofSeconds(3).toNanos());
        assertThat(one.answer().text()).matches("data: \\[\\{\"id\":7}]\nid: \"[-_A-Za-z0-9]{22}\"\n\n")
                .isEqualTo(two.answer().text()).isEqualTo(late.answer().text());
        assertThat(results.stats()).isEqualTo(new LiveResults.Stats(1, 3, 1, 0, 0));
    }

    @Test
    void messagesDuringARunAndItsPauseCauseOneMore() {
        FakeExchange client = stream();
        publish();
        respond("[1]");
        String first = client.answer().text();
        publish();
        publish();
        assertThat(runs).hasSize(1);

        pass(INTERVAL);
        assertThat(runs).hasSize(2);
        respond("[2]");
        assertThat(client.answer().text()).startsWith(first + "data: [2]\n");
        pass(INTERVAL.multipliedBy(3));
        assertThat(runs).hasSize(2);
        publish();
        assertThat(runs).hasSize(3);
    }

    @Test
    void aResultThatHasNotChangedIsNotSent() {
        FakeExchange client = stream();
        respond("[1]", "etag", "\"v1\"");
        String first = client.answer().text();
        assertThat(first).endsWith("\nid: \"v1\"\n\n");
        FakeExchange returning = stream("7", "\"v1\"");
        pass(INTERVAL);
        publish();
        respond("[1]", "etag", "\"v1\"");

        assertThat(client.answer().text()).isEqualTo(first);
        assertThat(returning.answer().text()).isEmpty();
        assertThat(results.stats().unchanged()).isEqualTo(1);
        pass(INTERVAL);
        publish();
        respond("[2]", "etag", "\"v2\"");
        assertThat(returning.answer().text()).isEqualTo("data: [2]\nid: \"v2\"\n\n");
    }

    @Test
    void aFailureIsToldOnceAndTheRunRepeatedWithLongerPauses() {
        FakeExchange client = stream();
        respond("[1]");
        String first = client.answer().text();
        pass(INTERVAL);
        publish();
        fail(503);
        String told = first + "event: problem\ndata: {\"status\":503}\n\n";
        assertThat(client.answer().text()).isEqualTo(told);
        pass(Duration.ofMillis(900));
        assertThat(runs).hasSize(2);
        pass(Duration.ofMillis(400));
        assertThat(runs).hasSize(3);
        fail(503);
        pass(Duration.ofMillis(1900));
        assertThat(runs).hasSize(3);
        pass(Duration.ofMillis(700));
        assertThat(runs).hasSize(4);
        assertThat(client.answer().text()).isEqualTo(told);
        assertThat(stream().answer().text()).isEqualTo(told);

        respond("[1]");
        assertThat(client.answer().text()).isEqualTo(told + first);
        assertThat(stream("7", idOf(first)).answer().text()).isEmpty();
        assertThat(results.stats().failures()).isEqualTo(2);
    }

    @Test
    void aResultThatIsNoMoreIsAProblemUntilTheNextMessage() {
        FakeExchange client = stream();
        respond("{}");
        String first = client.answer().text();
        pass(INTERVAL);
        publish();
        fail(404);
        pass(Duration.ofSeconds(10));
        assertThat(runs).hasSize(2);
        assertThat(stream().answer().text()).isEqualTo("event: problem\ndata: {\"status\":404}\n\n");

        publish();
        respond("{}");
        assertThat(client.answer().text())
                .isEqualTo(first + "event: problem\ndata: {\"status\":404}\n\n" + first);
    }

    @Test
    void aSlowClientGetsTheNewestResultAlone() {
        FakeExchange slow = stream();
        FakeExchange other = stream();
        slow.answer().stopReading();
        for (int i = 1; i <= 3; i++) {
            respond("[" + i + "]");
            pass(INTERVAL);
            publish();
        }
        assertThat(slow.answer().text()).isEmpty();
        assertThat(other.answer().text()).contains("[1]", "[2]", "[3]");

        slow.answer().readOn();
        assertThat(slow.answer().text()).startsWith("data: [3]\n").doesNotContain("[1]", "[2]");
    }

    @Test
    void aResultOfManyPiecesIsOneLineAndOneThatIsTooLargeAProblem() {
        FakeExchange client = stream();
        ResponseStream pieces = runs.getLast().stream(
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK,
                        new DefaultHttpHeaders().set("row-limit", 1)));
        pieces.write(bytes("[{\"a\":{\r\n"));
        pieces.write(bytes("}}]"));
        pieces.end(new DefaultHttpHeaders().set("truncated", true));
        settle();
        assertThat(client.answer().text()).matches(
                "data: \\[\\{\"a\":\\{ {2}}}]\nid: \"[^\n]+\"\n\nevent: truncated\ndata: 1\n\n");

        pass(INTERVAL);
        publish();
        ResponseStream large = runs.getLast().stream(
                new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        large.write(bytes("x".repeat(MAX_SIZE)));
        assertThat(aborted).isEmpty();
        large.write(bytes("y"));
        large.write(bytes("z"));
        large.end();
        settle();
        assertThat(aborted).containsExactly(runs.getLast());
        assertThat(client.answer().text()).endsWith("event: problem\ndata: {\"status\":500}\n\n");
    }

    @Test
    void theLastStreamThatEndsTakesTheRunWithIt() {
        FakeExchange one = stream();
        FakeExchange two = stream();
        one.leave();
        settle();
        assertThat(aborted).isEmpty();
        two.leave();
        settle();
        assertThat(aborted).hasSize(1);
        runs.getFirst().fail(new IllegalStateException("cancelled"));
        settle();
        assertThat(results.stats()).isEqualTo(new LiveResults.Stats(0, 0, 1, 0, 0));
    }

    @Test
    void differentResultsAreLimited() {
        FakeExchange one = stream("1", null);
        stream("2", null);
        assertThat(runs).hasSize(2);
        var third = new FakeExchange();
        assertThatThrownBy(() -> results.join(Map.of("id", "3"), "orders", new LiveRequest(third)))
                .isInstanceOf(HttpException.class);
        one.leave();
        settle();
        stream("3", null);
        assertThat(runs).hasSize(3);
    }

    @Test
    void aSilentStreamGetsComments() {
        FakeExchange client = stream();
        pass(Duration.ofSeconds(31));
        assertThat(client.answer().text()).isEqualTo(":\n\n:\n\n");
    }
}
