package io.sluice.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.offload.ClientNetwork;
import org.junit.jupiter.api.Test;

class SlowReaderMemoryTest {
    private static final ClientNetwork GREEDY = new ClientNetwork(1, false);
    private static final ClientNetwork OTHER = new ClientNetwork(2, false);

    private final SlowReaderMemory memory = new SlowReaderMemory(800);

    @Test
    void shareIsForTheMessagesOfAll() {
        wait(GREEDY, 700);

        assertThat(memory.hasRoom(100)).isTrue();
        assertThat(memory.hasRoom(101)).isFalse();
    }

    @Test
    void clientsWithLittleHaveRoomWhileOneHasTakenAll() {
        wait(GREEDY, 800);
        assertThat(memory.hasRoomFor(OTHER, 300, 0)).as("one message of any size").isTrue();

        wait(OTHER, 60);
        assertThat(memory.hasRoomFor(OTHER, 40, 0)).isTrue();
        assertThat(memory.hasRoomFor(OTHER, 41, 0)).isFalse();
        assertThat(memory.hasRoomFor(OTHER, 41, 1)).as("when a byte is dropped").isTrue();
        assertThat(memory.hasRoomFor(GREEDY, 1, 0)).isFalse();
    }

    @Test
    void whatIsSentMakesRoom() {
        wait(GREEDY, 800);
        assertThat(memory.isScarce()).isTrue();
        wait(GREEDY, -800);

        assertThat(memory.isScarce()).isFalse();
        assertThat(memory.bytes()).isZero();
        assertThat(memory.hasRoomFor(GREEDY, 801, 0)).isTrue();
    }

    private void wait(ClientNetwork client, long bytes) {
        memory.countMessage(bytes);
        memory.countFor(client, bytes);
    }
}
