package io.sluice.gateway.http2;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.FlushCounter;
import org.junit.jupiter.api.Test;

class Http2StreamFlushIT {

    @Test
    void immediateResponseIsFlushedOnce() throws Exception {
        try (var counter = new FlushCounter(); FrameClient client = FrameClient.connect(counter.server())) {
            counter.forget();
            client.send(FrameClient.get(1, "/at-once"));
            assertThat(client.answer(1).body()).isEqualTo(FlushCounter.BODY);
            assertThat(counter.flushes()).isOne();
        }
    }

    /** A proxied response is sent by such a task, when the loop reads from the upstream's connection. */
    @Test
    void responseOfALaterTaskIsFlushedOnce() throws Exception {
        try (var counter = new FlushCounter(); FrameClient client = FrameClient.connect(counter.server())) {
            client.send(FrameClient.get(1, "/later"));
            counter.answerLater();
            assertThat(client.answer(1).body()).isEqualTo(FlushCounter.BODY);
            assertThat(counter.flushes()).isOne();
        }
    }
}
