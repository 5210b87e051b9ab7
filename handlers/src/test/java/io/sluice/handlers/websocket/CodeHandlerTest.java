package io.sluice.handlers.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.netty.util.concurrent.Promise;
import io.sluice.config.ProgramConfig;
import io.sluice.config.type.ByteSize;
import io.sluice.handlers.FakeExchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.WebSocketListener;
import io.sluice.handlers.json.JsonMembers;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.Deadline;
import io.sluice.offload.Offload;
import io.sluice.offload.OffloadStats;
import io.sluice.offload.Work;
import io.sluice.offload.process.Programs;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CodeHandlerTest {
    private static final ProgramConfig CONFIG = new ProgramConfig("python3", ProgramConfig.Sandbox.NONE,
            Duration.ofSeconds(1), Duration.ofSeconds(1), new ByteSize(1 << 28), 16, new ByteSize(1),
            new ByteSize(1), 0);

    private final RecordedSocket socket = new RecordedSocket(ImmediateEventExecutor.INSTANCE);
    private final NeverRun offload = new NeverRun();
    private final Programs programs = new Programs(CONFIG, offload);
    private final WebSocketListener code = new CodeHandler(
            () -> new CodeHandler.Setup(programs, Duration.ofSeconds(2)),
            (_, to) -> to.alloc().buffer().writeBytes("problem".getBytes(StandardCharsets.UTF_8)))
            .accept(new FakeExchange());

    @AfterEach
    void close() {
        programs.close();
    }

    @Test
    void aClientThatDoesNotReadWhatIsWrongHasToWait() {
        socket.writableFor = 1;
        arrives("rubbish");

        assertThat(socket.received).containsExactly("problem");
        assertThat(socket.calls).containsExactly("pause");
        socket.writable = true;
        code.writable(socket);
        assertThat(socket.calls).containsExactly("pause", "resume");
    }

    @Test
    void aClientThatDoesNotReadItsAnswersRunsNothingMore() {
        socket.writableFor = 1;
        arrives("{\"code\":\"\"}");
        assertThat(socket.calls).containsExactly("pause", "begin");

        offload.done();
        assertThat(socket.received).hasSize(1);
        assertThat(socket.calls).containsExactly("pause", "begin", "end", "pause");
        socket.writable = true;
        code.writable(socket);
        assertThat(socket.calls).endsWith("resume");
    }

    /** Its results would have no room either; memory may be short. */
    @Test
    void aSocketWithoutRoomRunsNothing() {
        socket.writable = false;
        arrives("{\"code\":\"\"}");

        assertThat(socket.received).containsExactly("problem");
        assertThat(socket.calls).doesNotContain("begin");
    }

    @Test
    void aClientThatReadsAgainStillWaitsForItsProgram() {
        arrives("{\"code\":\"\"}");
        code.writable(socket);
        assertThat(socket.calls).doesNotContain("resume");

        offload.done();
        assertThat(socket.calls).endsWith("end", "resume");
    }

    @Test
    void aLargeMessageIsReadByAWorkerAlone() {
        ByteBuf message = arrives("x".repeat(JsonMembers.MAX_ON_LOOP + 1));
        assertThat(socket.calls).containsExactly("pause", "begin");
        assertThat(message.refCnt()).isOne();

        assertThatThrownBy(() -> offload.work.run(null)).isInstanceOf(HttpException.class);
        assertThat(message.refCnt()).isZero();
    }

    @Test
    void aLargeMessageThatNoWorkerReadsIsReleased() {
        ByteBuf message = arrives("x".repeat(JsonMembers.MAX_ON_LOOP + 1));

        code.closed(socket);

        assertThat(message.refCnt()).isZero();
    }

    private ByteBuf arrives(String text) {
        ByteBuf message = PooledByteBufAllocator.DEFAULT.buffer();
        message.writeCharSequence(text, StandardCharsets.UTF_8);
        code.text(socket, message);
        message.release();
        return message;
    }

    /** A pool whose program ends when the test calls {@link #done()}. */
    private static final class NeverRun implements Offload {
        private Promise<Object> running;
        private Work<?> work;

        @Override
        @SuppressWarnings("unchecked")
        public <T> Future<T> submit(ClientNetwork client, Deadline deadline, EventExecutor home,
                                    Work<T> toRun) {
            work = toRun;
            running = home.newPromise();
            return (Future<T>) running;
        }

        void done() {
            running.setSuccess(Unpooled.EMPTY_BUFFER);
        }

        @Override
        public OffloadStats stats() {
            throw new AssertionError("not asked for in these tests");
        }

        @Override
        public void close() {
            // there are no threads to end
        }
    }
}
