package io.sluice.handlers.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponse;
import io.sluice.handlers.Client;
import io.sluice.handlers.ExchangeWrapper;
import io.sluice.handlers.FakeExchange;
import io.sluice.handlers.HttpException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class LiveResultTest extends LiveTestBed {

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
        assertThat(eventsOf(one)).matches("data: \\[\\{\"id\":7}]\nid: \"[-_A-Za-z0-9]{22}\"\n\n")
                .isEqualTo(eventsOf(two)).isEqualTo(eventsOf(late));
        assertThat(results.stats()).isEqualTo(new LiveResults.Stats(1, 3, 1, 0, 0));
    }

    @Test
    void messagesDuringARunOrItsPauseCauseOneMore() {
        FakeExchange client = stream();
        publish();
        publish();
        respond("[1]");
        String first = eventsOf(client);
        assertThat(runs).hasSize(1);
        pass(INTERVAL);
        assertThat(runs).hasSize(2);
        respond("[2]");
        assertThat(eventsOf(client)).startsWith(first + "data: [2]\n");

        publish();
        publish();
        assertThat(runs).hasSize(2);
        pass(INTERVAL);
        assertThat(runs).hasSize(3);
        respond("[2]");
        pass(INTERVAL.multipliedBy(3));
        assertThat(runs).hasSize(3);
        publish();
        assertThat(runs).hasSize(4);
    }

    @Test
    void aFailureIsToldOnceAndTheRunRepeatedWithLongerPauses() {
        FakeExchange client = stream();
        respond("[1]");
        String first = eventsOf(client);
        pass(INTERVAL);
        publish();
        fail(503);
        String told = first + "event: problem\nid:\ndata: {\"status\":503}\n\n";
        assertThat(eventsOf(client)).isEqualTo(told);
        pass(Duration.ofMillis(900));
        assertThat(runs).hasSize(2);
        pass(Duration.ofMillis(400));
        assertThat(runs).hasSize(3);
        fail(503);
        pass(Duration.ofMillis(1900));
        assertThat(runs).hasSize(3);
        pass(Duration.ofMillis(700));
        assertThat(runs).hasSize(4);
        assertThat(eventsOf(client)).isEqualTo(told);
        assertThat(eventsOf(stream())).isEqualTo(told);

        respond("[1]");
        assertThat(eventsOf(client)).isEqualTo(told + first);
        assertThat(eventsOf(stream("7", idOf(first)))).isEmpty();
        assertThat(results.stats().failures()).isEqualTo(2);
    }

    @Test
    void aResultThatIsNoMoreIsAProblemUntilTheNextMessage() {
        FakeExchange client = stream();
        respond("{}");
        String first = eventsOf(client);
        pass(INTERVAL);
        publish();
        fail(404);
        pass(Duration.ofSeconds(10));
        assertThat(runs).hasSize(2);
        assertThat(eventsOf(stream())).isEqualTo("event: problem\nid:\ndata: {\"status\":404}\n\n");

        publish();
        respond("{}");
        assertThat(eventsOf(client))
                .isEqualTo(first + "event: problem\nid:\ndata: {\"status\":404}\n\n" + first);
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
    void runsAddNothingToTheExchangeOfTheFirstStream() {
        var client = new FakeExchange();
        clients.add(client);
        var edits = new ArrayList<Consumer<HttpResponse>>();
        LiveResult result = results.join(Map.of("id", "7"), "orders",
                new LiveRequest(new ExchangeWrapper(client) {
                    @Override
                    public void onResponse(Consumer<HttpResponse> edit) {
                        edits.add(edit);
                    }
                }));
        result.begin();
        settle();
        runs.getFirst().onResponse(answer -> answer.headers().set("etag", "changed"));
        respond("[1]");
        assertThat(edits).isEmpty();
        result.leave();
    }

    private LiveResult join(String order, String address) {
        var exchange = new FakeExchange();
        clients.add(exchange);
        var client = new Client(new InetSocketAddress(address, 1));
        return results.join(Map.of("id", order), "orders", new LiveRequest(new ExchangeWrapper(exchange) {
            @Override
            public Client client() {
                return client;
            }
        }));
    }

    @Test
    void theBytesOfResultsAreLimited() {
        FakeExchange one = stream("1", null);
        respond("[\"" + "x".repeat(MAX_SIZE / 2) + "\"]"); // in a buffer of MAX_SIZE
        FakeExchange two = stream("2", null);
        respond("[\"" + "y".repeat(MAX_SIZE - 10) + "\"]"); // 2 * MAX_SIZE, with its id
        assertThat(eventsOf(one)).startsWith("data: [\"x");
        assertThat(eventsOf(two)).isEqualTo("event: problem\nid:\ndata: {\"status\":503}\n\n");

        pass(INTERVAL.multipliedBy(2));
        respond("[\"" + "y".repeat(MAX_SIZE / 2) + "\"]");
        assertThat(eventsOf(two)).contains("data: [\"y");
        String address = one.client().address().getAddress().getHostAddress();
        assertThatThrownBy(() -> join("3", address)).isInstanceOf(HttpException.class)
                .hasMessageContaining("memory");
        join("3", "192.0.2.1").leave();
        one.leave();
        settle();
        join("3", address).leave();
    }

    @Test
    void requestsOfResultsCountAsTheirBytes() {
        var large = new LiveRequest(new FakeExchange(HttpMethod.GET, "/" + "x".repeat(MAX_SIZE), 0));
        assertThatThrownBy(() -> results.join(Map.of("id", "1"), "orders", large))
                .isInstanceOf(HttpException.class).hasMessageContaining("memory");
        join("1", "192.0.2.1").leave();
    }

    @Test
    void differentResultsAreLimitedInAllAndForOneClient() {
        LiveResult one = join("1", "192.0.2.1");
        LiveResult two = join("2", "192.0.2.1");
        assertThatThrownBy(() -> join("3", "192.0.2.1")).isInstanceOf(HttpException.class)
                .hasMessageContaining("streams of one client");
        LiveResult three = join("3", "192.0.2.2");
        LiveResult shared = join("3", "192.0.2.1");
        LiveResult four = join("4", "192.0.2.3");
        assertThatThrownBy(() -> join("5", "192.0.2.4")).isInstanceOf(HttpException.class)
                .hasMessage("streams wait for too many different results of this route");
        one.leave();
        LiveResult five = join("5", "192.0.2.1");
        assertThat(results.stats().results()).isEqualTo(4);
        List.of(two, three, shared, four, five).forEach(LiveResult::leave);
    }
}
