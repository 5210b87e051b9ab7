package io.sluice.gateway.http1;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.FlushCounter;
import io.sluice.gateway.RawClient;
import org.junit.jupiter.api.Test;

class StreamFlushIT {
    private static final String REST = " HTTP/1.1\r\nHost: a\r\n\r\n";

    @Test
    void immediateResponseIsFlushedOnce() throws Exception {
        try (var counter = new FlushCounter(); RawClient client = counter.server().connect()) {
            assertThat(client.send("GET /at-once" + REST).read().body()).isEqualTo(FlushCounter.BODY);
            assertThat(counter.flushes()).isOne();
        }
    }

    /** A proxied response is sent by such a task, when the loop reads from the upstream's connection. */
    @Test
    void responseOfALaterTaskIsFlushedOnce() throws Exception {
        try (var counter = new FlushCounter(); RawClient client = counter.server().connect()) {
            client.send("GET /later" + REST);
            counter.answerLater();
            assertThat(client.read().body()).isEqualTo(FlushCounter.BODY);
            assertThat(counter.flushes()).isOne();
        }
    }
}
