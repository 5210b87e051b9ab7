package io.sluice.handlers.topic;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.handlers.SharedMessage;
import io.sluice.handlers.SlowReaderMemory;
import io.sluice.handlers.WebSocket.DropReason;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Messages that wait while those of slow readers take all of their memory. */
class WaitingMessagesTest {
    /** The bytes of a message that is accounted as 1,000. */
    private static final int SIZE = 744;
    private static final long BUDGET = 100_000;

    private final SlowReaderMemory memory = new SlowReaderMemory(40_000);
    private final SlowClient client = new SlowClient();
    private final WaitingMessages waiting = new WaitingMessages(client, BUDGET, memory);
    private final WaitingMessages others = new WaitingMessages(new SlowClient(), BUDGET, memory);

    @AfterEach
    void nothingCountsWhenAllIsDropped() {
        waiting.close(DropReason.CLOSED);
        others.close(DropReason.CLOSED);
        assertThat(memory.bytes()).isZero();
        assertThat(memory.hasRoomFor(SlowClient.NETWORK, BUDGET, 0))
                .as("nothing waits for the client").isTrue();
    }

    private boolean add(WaitingMessages to, int messages) {
        boolean added = true;
        for (int i = 0; i < messages; i++) {
            added = with(message(), to::addIfItFits);
        }
        return added;
    }

    private static TopicMessage message() {
        SharedMessage raw = TopicRoom.message("x".repeat(SIZE));
        TopicMessage message = TopicMessage.of(new Position(0, 0), raw);
        raw.release();
        return message;
    }

    private static <T> T with(TopicMessage message, Function<TopicMessage, T> action) {
        try {
            return action.apply(message);
        } finally {
            message.release();
        }
    }

    private void addDroppingOldest() {
        with(message(), message -> {
            waiting.addDroppingOldest(message);
            return null;
        });
    }

    @Test
    void messagesBeyondTheMemoryDoNotFit() {
        assertThat(add(waiting, 40)).isTrue();
        assertThat(add(waiting, 1)).isFalse();
    }

    @Test
    void messageThatWaitsForOthersTakesNoMore() {
        add(others, 39);
        with(message(), message -> {
            assertThat(others.addIfItFits(message)).isTrue();
            return assertThat(waiting.addIfItFits(message)).isTrue();
        });
        assertThat(memory.bytes()).isEqualTo(40_000);
    }

    @Test
    void oldestMakeRoom() {
        client.hasPositions = true;
        add(waiting, 40);
        addDroppingOldest();

        assertThat(client.dropped).as("not all").hasSize(1);
    }

    @Test
    void oldestMakesRoomThoughMuchWaitsForTheClient() {
        client.hasPositions = true;
        add(others, 38);
        add(waiting, 2);
        addDroppingOldest();

        assertThat(client.dropped).as("not all").hasSize(1);
    }

    @Test
    void oldestStayIfThatMakesNoRoom() {
        add(others, 38);
        for (int i = 0; i < 2; i++) {
            with(message(), shared -> others.addIfItFits(shared) && waiting.addIfItFits(shared));
        }
        addDroppingOldest();
        assertThat(client.dropped).as("the new one").containsExactly(DropReason.OLDEST);

        client.hasPositions = true; // then it is told once
        addDroppingOldest();
        assertThat(client.dropped).hasSize(4);
    }

    @Test
    void latestHasNoRoomWhileMuchWaitsForTheClient() {
        add(others, 40);
        assertThat(with(message(), waiting::replaceAll)).isFalse();

        others.close(DropReason.CLOSED);
        assertThat(with(message(), waiting::replaceAll)).isTrue();
    }
}
