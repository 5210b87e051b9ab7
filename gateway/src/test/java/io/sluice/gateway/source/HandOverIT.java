package io.sluice.gateway.source;

import static io.sluice.gateway.source.SourceBed.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.handlers.publish.TopicSink;
import io.sluice.handlers.topic.TopicRoom;
import io.sluice.handlers.websocket.RecordedSocket;
import io.sluice.offload.source.TopicSource;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sources of topics without a bus whose subscribers are slower: they wait. */
class HandOverIT {
    private static final int SOCKETS = 2000;
    private static final int ROWS = 100;
    /** The number of messages that may wait for so many sockets of one event loop. */
    private static final int WAITING = 66;
    private static final String INSERT =
            "INSERT INTO $t (topic, payload) SELECT 'log', i FROM generate_series(1, " + ROWS + ") i";

    private final TopicRoom room = new TopicRoom(1, 0);
    private SourceBed bed;
    private List<RecordedSocket> sockets;
    private CountDownLatch blocked;

    @BeforeEach
    void create() throws SQLException {
        bed = new SourceBed().outbox();
        sockets = IntStream.range(0, SOCKETS).mapToObj(_ -> room.join("log", 0)).toList();
        blocked = TopicRoom.block(room.loop(0));
    }

    @AfterEach
    void close() {
        blocked.countDown();
        bed.close();
        room.close();
    }

    @Test
    void anOutboxDeletesWhatWasTakenAndGoesOnWithTheRest() throws SQLException {
        bed.execute(INSERT);
        TopicSource source = bed.readOutbox(new TopicSink(room.topics), "deadline = 3s");
        soon().until(() -> bed.rows() == ROWS - WAITING);
        blocked.countDown();
        soon().until(() -> bed.rows() == 0);

        assertEachGotAll(source);
        assertThat(sockets.getFirst().received)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, ROWS).mapToObj(i -> "" + i).toList());
    }

    @Test
    void aTransactionGoesOnWhereItWas() throws SQLException {
        bed.slot("$t");
        TopicSource source = bed.readSlot(new TopicSink(room.topics),
                "tables { " + bed.name + " = log }, deadline = 3s");
        bed.execute(INSERT);
        soon().until(() -> source.stats().messages() == WAITING);
        blocked.countDown();
        soon().until(() -> source.stats().messages() == ROWS);

        assertEachGotAll(source);
        assertThat(sockets.getFirst().received).doesNotHaveDuplicates();
    }

    private void assertEachGotAll(TopicSource source) {
        room.settle();
        assertThat(source.stats().failures()).isZero();
        assertThat(sockets).allSatisfy(socket -> assertThat(socket.received).hasSize(ROWS));
    }
}
