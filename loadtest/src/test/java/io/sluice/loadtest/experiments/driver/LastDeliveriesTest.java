package io.sluice.loadtest.experiments.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LastDeliveriesTest {

    private final Publications publications = new Publications("/topics/news");
    private final LastDeliveries deliveries = new LastDeliveries(publications, 2);

    @Test
    void recordsTheLastArrivalOfEachMessageOfThePhase() throws Exception {
        publications.next();
        deliveries.begin();
        publications.next();
        publications.next();
        arrives(0, 1, 2, 2);
        assertThat(deliveries.latencies().getTotalCount()).isEqualTo(1);
        assertThat(deliveries.end()).isZero();
        publications.next();
        arrives(3, 3);
        assertThat(deliveries.count()).isEqualTo(2);
        assertThat(deliveries.latencies().getTotalCount()).isEqualTo(1);
    }

    private void arrives(int... numbers) {
        for (int number : numbers) {
            var text = "%08d ...".formatted(number);
            deliveries.message(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII), text.length());
        }
    }
}
