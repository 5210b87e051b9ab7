package io.sluice.gateway.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.gateway.RunningGateway;
import java.time.Duration;

/** The meters of topics, for tests that wait for them. */
final class TopicCounts {

    private TopicCounts() {
    }

    static void awaitSubscribers(RunningGateway gateway, String topics, int subscribers) {
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() ->
                assertThat(gateway.getAdmin("/metrics").body()).contains(
                        "sluice_topics_subscribers{topics=\"" + topics + "\"} " + subscribers + ".0"));
    }
}
