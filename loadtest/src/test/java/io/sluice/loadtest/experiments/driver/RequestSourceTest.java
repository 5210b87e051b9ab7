package io.sluice.loadtest.experiments.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RequestSourceTest {

    private static final Request ONE = Request.get("one", "/1");
    private static final Request OTHER = Request.get("other", "/2");

    @Test
    void mixesByShare() {
        var seldom = take(RequestSource.mix(ONE, OTHER, 0.1)).stream().filter(OTHER::equals).count();
        assertThat(seldom).isBetween(900L, 1_100L);
    }

    @Test
    void sendsTheSameInEveryRun() {
        assertThat(take(RequestSource.mix(ONE, OTHER, 0.1)))
                .isEqualTo(take(RequestSource.mix(ONE, OTHER, 0.1)));
        assertThat(take(RequestSource.anyOf(List.of(ONE, OTHER)))).contains(ONE, OTHER)
                .isEqualTo(take(RequestSource.anyOf(List.of(ONE, OTHER))));
    }

    @Test
    void makesABareGet() {
        assertThat(ONE.bytes()).asString().isEqualTo("GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    private static List<Request> take(RequestSource source) {
        return Stream.generate(source::next).limit(10_000).toList();
    }
}
