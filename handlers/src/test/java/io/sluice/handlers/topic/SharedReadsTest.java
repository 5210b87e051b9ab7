package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.ImmediateEventExecutor;
import io.sluice.handlers.SharedMessage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A storm of clients that come back. */
class SharedReadsTest {
    private final Map<Position, CompletableFuture<Bus.History>> begun = new LinkedHashMap<>();
    private final SharedReads reads = new SharedReads((_, after) -> {
        var answer = new CompletableFuture<Bus.History>();
        begun.put(after, answer);
        return answer;
    }, Runnable::run);
    private final List<Bus.History> arrived = new ArrayList<>();

    private void read(int offset) {
        reads.read("t", new Position(1, offset), ImmediateEventExecutor.INSTANCE, arrived::add);
    }

    @Test
    void clientsAtOnePositionShareARead() {
        read(1);
        read(1);
        read(2);
        assertThat(begun).hasSize(2);

        SharedMessage raw = TopicRoom.message("x");
        TopicMessage message = TopicMessage.of(new Position(1, 2), raw);
        raw.release();
        begun.get(new Position(1, 1)).complete(new Bus.History(message.position(), true, List.of(message)));
        assertThat(arrived).hasSize(2).allSatisfy(history ->
                assertThat(history.messages()).containsExactly(message));
        assertThat(message.release(2)).isTrue();
        read(1);
        assertThat(begun.get(new Position(1, 1))).as("a later read").isNotDone();
    }

    @Test
    void fewReadsAreUnderWayAndTheOthersWait() {
        for (int offset = 0; offset < SharedReads.MAX + 2; offset++) {
            read(offset);
        }
        assertThat(begun).hasSize(SharedReads.MAX);

        begun.get(new Position(1, 3)).completeExceptionally(new IllegalStateException("test"));
        assertThat(arrived).hasSize(1).containsOnlyNulls();
        assertThat(begun).hasSize(SharedReads.MAX + 1);
    }
}
