package io.sluice.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.offload.ClientNetwork;
import org.junit.jupiter.api.Test;

class SlowReaderMemoryTest {
    private static final ClientNetwork GREEDY = new ClientNetwork(1, false);
    private static final ClientNetwork OTHER = new ClientNetwork(2, false);

    private final SlowReaderMemory memory = new SlowReaderMemory(800);

    @Test
    void aClientMayHaveAllThatIsFree() {
        wait(GREEDY, 700);

        assertThat(memory.hasRoom(GREEDY, 100)).isTrue();
        assertThat(memory.hasRoom(GREEDY, 101)).isFalse();
    }

    @Test
    void manyClientsOfOneMessageAreNotRefused() {
        memory.count(100);
        for (int i = 0; i < 100; i++) {
            memory.count(GREEDY, 100);
        }

        assertThat(memory.hasRoom(GREEDY, 100)).isTrue();
    }

    @Test
    void clientsWithLittleHaveRoomWhileOneHasTakenAll() {
        wait(GREEDY, 800);
        assertThat(memory.hasRoom(OTHER, 300)).as("one message of any size").isTrue();

        wait(OTHER, 60);
        assertThat(memory.hasRoom(OTHER, 40)).isTrue();
        assertThat(memory.hasRoom(OTHER, 41)).isFalse();
        assertThat(memory.hasRoom(GREEDY, 1)).isFalse();
    }

    @Test
    void whatIsSentMakesRoom() {
        wait(GREEDY, 800);
        wait(GREEDY, -800);

        assertThat(memory.bytes()).isZero();
        assertThat(memory.hasRoom(GREEDY, 800)).isTrue();
    }

    private void wait(ClientNetwork client, long bytes) {
        memory.count(bytes);
        memory.count(client, bytes);
    }
}
