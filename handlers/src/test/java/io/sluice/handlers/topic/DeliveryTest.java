package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import io.sluice.handlers.FairLimit;
import io.sluice.handlers.SharedMessage;
import org.junit.jupiter.api.Test;

class DeliveryTest {

    /** They take a multiple of the payload, and wait for the slowest loop. */
    @Test
    void encodedFormsCountWithTheirMessage() {
        SharedMessage raw = TopicRoom.message("x");
        TopicMessage message = TopicMessage.of(new Position(1, 1), raw);
        raw.release();
        var underWay = new FairLimit(1);
        var delivery = new Delivery(message, null, underWay, null);
        delivery.hold();
        delivery.hold();
        long cost = message.cost();
        assertThat(underWay.used()).isEqualTo(cost);

        message.raw().as((_, _) -> Unpooled.buffer(1000, 1000)).release();
        message.enveloped().as((_, _) -> Unpooled.buffer(3000, 3000)).release();
        delivery.done();
        assertThat(underWay.used()).isEqualTo(cost + 4000 + message.enveloped().size());
        delivery.done();
        delivery.done();
        assertThat(underWay.used()).isZero();
        assertThat(message.refCnt()).isZero();
    }
}
