package io.sluice.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** Contract of exchanges whose clients disconnect: the work for them ends. */
interface AbortContract extends ExchangeTestBed {

    @Test
    default void disconnectCallsTheAbortListeners() {
        Queue<String> events = new ConcurrentLinkedQueue<>();
        TestRequest request = get(exchange -> {
            exchange.onAbort(() -> events.add("first on loop: " + exchange.eventLoop().inEventLoop()));
            exchange.onAbort(() -> {
                throw new IllegalStateException("in an abort");
            });
            exchange.onAbort(() -> events.add("last"));
        });
        request.exchange();
        request.leave();

        request.until(() -> events.size() == 2);
        assertThat(events).containsExactly("first on loop: true", "last");
        assertThat(text(request.exchange(), "too late")).isFalse();
        assertThat(stream(request.exchange())).isNull();
    }

    @Test
    default void abortListenerAfterADisconnectIsCalledAtOnce() {
        Queue<String> events = new ConcurrentLinkedQueue<>();
        TestRequest request = get(exchange -> exchange.onAbort(() -> events.add("aborted")));
        request.exchange();
        request.leave();
        request.until(() -> !events.isEmpty());
        request.onLoop(exchange -> {
            exchange.onAbort(() -> events.add("at once"));
            events.add("later");
        });

        assertThat(events).containsExactly("aborted", "at once", "later");
    }

    @Test
    default void workThatIsDoneEndsByItself() {
        Queue<String> events = new ConcurrentLinkedQueue<>();
        TestRequest request = get(exchange -> {
            exchange.onAbort(() -> events.add("aborted"));
            text(exchange, "done");
        });
        assertThat(request.answer().body()).isEqualTo("done");
        request.leave();
        request.onLoop(_ -> events.add("left"));

        assertThat(events).containsExactly("left");
    }
}
