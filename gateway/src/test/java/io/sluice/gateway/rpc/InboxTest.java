package io.sluice.gateway.rpc;

import static io.sluice.gateway.HandlerServer.answer;
import static io.sluice.gateway.HandlerServer.route;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.EventExecutor;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Long messages, which are scanned in several tasks of the event loop. */
class InboxTest {
    private static final int TURN = 64 * 1024;
    private static final int TURNS = 16;
    private static final String LONG = sized(TURNS * TURN);
    private static final String SHORT = "{'id':2,'path':'/hello'}";

    private final RpcTestBed bed = new RpcTestBed(route("/hello", exchange -> answer(exchange, "hello")));
    /** The number of other tasks that ran between those of the scan. */
    private int turns;

    @AfterEach
    void close() {
        bed.close();
    }

    /** Returns a message of this length in bytes. */
    private static String sized(int bytes) {
        String message = "{'id':1,'path':'/hello','body':'%s'}";
        return message.formatted("a".repeat(bytes - message.length() + 2));
    }

    private void count(EventExecutor loop) {
        if (bed.socket.sent.isEmpty()) {
            turns++;
            loop.schedule(() -> count(loop), 0, TimeUnit.NANOSECONDS);
        }
    }

    @Test
    void scanYieldsToOtherTasks() {
        bed.socket.onLoop(() -> {
            bed.send(LONG);
            count(bed.socket.eventLoop());
        });

        assertThat(bed.answer()).startsWith("{'id':1,'status':200");
        assertThat(turns).isGreaterThan(TURNS / 2);
    }

    @Test
    void aMessageThatFitsIntoATurnIsReadAtOnce() {
        bed.socket.onLoop(() -> {
            bed.send(sized(TURN));
            assertThat(bed.socket.sent).hasSize(1);
            bed.send(sized(TURN + 1));
            assertThat(bed.socket.sent).hasSize(1);
        });
        assertThat(bed.answer()).startsWith("{'id':1,'status':200");
        assertThat(bed.answer()).startsWith("{'id':1,'status':200");
    }

    @Test
    void messagesWaitBehindOneBeingScanned() {
        bed.socket.onLoop(() -> {
            bed.send(LONG, SHORT, LONG, SHORT);
            assertThat(bed.socket.requests).isOne();
            assertThat(bed.socket.paused).isTrue();
            bed.socket.writable(true);
            assertThat(bed.socket.paused).isTrue();
        });

        for (int id : new int[] {1, 2, 1, 2}) {
            assertThat(bed.answer()).startsWith("{'id':" + id);
        }
        assertThat(bed.socket.paused).isFalse();
    }

    @Test
    void invalidMessageGets400() {
        assertThat(bed.ask(LONG + "}")).contains("'id':1,'status':400",
                "byte " + (LONG.length() + 1) + " is wrong");
        assertThat(bed.ask(SHORT)).contains("'id':2,'status':200");
    }

    @Test
    void aMessageIsReleasedWithItsSocket() {
        byte[] text = LONG.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        ByteBuf message = PooledByteBufAllocator.DEFAULT.buffer(text.length).writeBytes(text);
        bed.socket.onLoop(() -> {
            bed.socket.listener().text(bed.socket, message);
            assertThat(message.refCnt()).isEqualTo(2);
            bed.goAway();
            assertThat(message.refCnt()).isOne();
            assertThat(bed.socket.requests).isZero();
        });
        message.release();

        bed.socket.onLoop(() -> { }); // runs behind the scheduled scan
        assertThat(bed.ended).isEmpty();
    }
}
