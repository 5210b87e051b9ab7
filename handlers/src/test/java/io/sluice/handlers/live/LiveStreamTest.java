package io.sluice.handlers.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.sluice.handlers.FakeExchange;
import io.sluice.handlers.ResponseStream;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LiveStreamTest extends LiveTestBed {

    @Test
    void aResultThatHasNotChangedIsNotSent() {
        FakeExchange client = stream();
        respond("[1]", "etag", "\"v1\"");
        String first = eventsOf(client);
        assertThat(first).endsWith("\nid: \"v1\"\n\n");
        FakeExchange returning = stream("7", "\"v1\"");
        pass(INTERVAL);
        publish();
        respond("[1]", "etag", "\"v1\"");

        assertThat(eventsOf(client)).isEqualTo(first);
        assertThat(eventsOf(returning)).isEmpty();
        assertThat(results.stats().unchanged()).isEqualTo(1);
        pass(INTERVAL);
        publish();
        respond("[2]", "etag", "\"v2\"");
        assertThat(eventsOf(returning)).isEqualTo("data: [2]\nid: \"v2\"\n\n");
    }

    @Test
    void aClientThatLeavesBeforeItsTopicIsReadyLeavesTheResult() {
        var client = new FakeExchange();
        clients.add(client);
        var _ = new LiveStream(results.join(Map.of("id", "7"), "orders", new LiveRequest(client)), client,
                null);
        assertThat(results.stats().streams()).isOne();
        client.leave();
        assertThat(results.stats().streams()).isZero();
        assertThat(results.stats().results()).isZero();
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
        assertThat(eventsOf(slow)).isEmpty();
        assertThat(eventsOf(other)).contains("[1]", "[2]", "[3]");

        slow.answer().readOn();
        assertThat(eventsOf(slow)).startsWith("data: [3]\n").doesNotContain("[1]", "[2]");
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
        assertThat(eventsOf(client)).matches(
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
        assertThat(eventsOf(client)).endsWith("event: problem\nid:\ndata: {\"status\":500}\n\n");
    }

    @Test
    void aSilentStreamGetsComments() {
        FakeExchange client = stream();
        pass(Duration.ofSeconds(31));
        assertThat(eventsOf(client)).isEqualTo(":\n:\n");
    }
}
