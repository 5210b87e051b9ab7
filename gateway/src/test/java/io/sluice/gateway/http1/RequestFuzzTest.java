package io.sluice.gateway.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.ServerConfig;
import io.sluice.config.type.Method;
import io.sluice.config.type.PathTemplate;
import io.sluice.gateway.HandlerServer;
import io.sluice.gateway.http1.FuzzedRequests.Sample;
import io.sluice.gateway.routing.Route;
import io.sluice.testing.LeakCheck;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;

/** Properties of all requests, valid and broken, without sockets. */
class RequestFuzzTest {
    private static final List<Integer> AT_ONCE = List.of(Integer.MAX_VALUE);
    private static final List<Integer> BYTE_BY_BYTE = List.of(1);
    private static final ServerConfig CONFIG = EmbeddedGateway.config(Map.of());
    private static final ServerConfig TIGHT = EmbeddedGateway.config(Map.of(
            "sluice.server.max-request-line", "64", "sluice.server.max-header-block", "256",
            "sluice.server.max-headers", "6"));
    private static final int MAX_BODY = 64;

    @AfterContainer
    static void nothingLeaks() throws InterruptedException {
        LeakCheck.requireNone();
    }

    static Route collect(long maxBody) {
        return new Route("all", PathTemplate.parse("/**"), Set.copyOf(Method.STANDARD.subList(0, 6)),
                "test", HandlerServer.limits(Duration.ofSeconds(20), maxBody).around(exchange ->
                        exchange.readBody(body ->
                                exchange.respond(HttpResponseStatus.OK, "text/plain", body.copy()))));
    }

    @Property
    void wellFormedRequestsAreAnswered(@ForAll("requests") List<Sample> requests,
                                    @ForAll("cuts") List<Integer> cuts) {
        String text = requests.stream().map(Sample::text).collect(Collectors.joining());
        try (var gateway = new EmbeddedGateway(CONFIG, collect(1024))) {
            FuzzedRequests.cut(text, cuts).forEach(gateway::receive);

            assertThat(SentResponses.of(gateway.sent()).bodies())
                    .containsExactlyElementsOf(requests.stream().map(Sample::body).toList());
            assertThat(gateway.isOpen()).isTrue();
        }
    }

    @Property
    void brokenRequestsAreAnsweredOrRefused(@ForAll("broken") String text) {
        answers(text, AT_ONCE, CONFIG);
    }

    @Property
    void resultIsIndependentOfFragmentation(@ForAll("broken") String text, @ForAll("cuts") List<Integer> cuts,
                                  @ForAll boolean tight) {
        ServerConfig config = tight ? TIGHT : CONFIG;
        SentResponses answers = answers(text, AT_ONCE, config);

        assertThat(answers(text, BYTE_BY_BYTE, config)).isEqualTo(answers);
        assertThat(answers(text, cuts, config)).isEqualTo(answers);
    }

    private static SentResponses answers(String text, List<Integer> cuts, ServerConfig config) {
        var gateway = new EmbeddedGateway(config, collect(MAX_BODY));
        try (gateway) {
            FuzzedRequests.cut(text, cuts).forEach(gateway::receive);
            SentResponses answers = SentResponses.of(gateway.sent());
            requireFit(answers, gateway.isOpen());
            return answers;
        } finally {
            assertThat(gateway.memory()).as("bytes that nobody has released").isZero();
        }
    }

    /** Checks that all errors are the client's, and that the connection ends with the last answer. */
    static void requireFit(SentResponses answers, boolean open) {
        assertThat(answers.rest()).isEmpty();
        assertThat(answers.statuses()).isSubsetOf(100, 200, 204, 400, 404, 405, 413, 414, 417, 421, 431, 501,
                505);
        assertThat(answers.answers().stream().map(SentResponses.Sent::last).filter(last -> last).count())
                .isEqualTo(open ? 0 : 1);
        assertThat(open || answers.answers().getLast().last()).isTrue();
    }

    @Provide
    Arbitrary<List<Sample>> requests() {
        return FuzzedRequests.requests();
    }

    @Provide
    Arbitrary<String> broken() {
        return FuzzedRequests.broken();
    }

    @Provide
    Arbitrary<List<Integer>> cuts() {
        return FuzzedRequests.cuts();
    }
}
