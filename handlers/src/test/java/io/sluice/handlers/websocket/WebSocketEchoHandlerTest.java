package io.sluice.handlers.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.concurrent.ImmediateEventExecutor;
import io.sluice.handlers.FakeExchange;
import io.sluice.handlers.WebSocketListener;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

class WebSocketEchoHandlerTest {
    private final RecordedSocket socket = new RecordedSocket(ImmediateEventExecutor.INSTANCE);
    private final WebSocketListener echo =
            new WebSocketEchoHandler().accept(new FakeExchange());

    @Test
    void textComesBackAsTextAndBinaryAsBinary() {
        echo.opened(socket);
        arrives(echo::text, "a");
        assertThat(socket.calls).isEmpty();
        arrives(echo::binary, "b");

        assertThat(socket.received).containsExactly("a", "b");
        assertThat(socket.calls).containsExactly("binary");
    }

    @Test
    void aClientThatDoesNotReadHasToWait() {
        socket.writableFor = 1;
        arrives(echo::text, "a");
        assertThat(socket.calls).containsExactly("pause");

        echo.writable(socket);
        assertThat(socket.calls).containsExactly("pause", "resume");
    }

    private void arrives(BiConsumer<RecordedSocket, ByteBuf> listener, String text) {
        ByteBuf message = PooledByteBufAllocator.DEFAULT.buffer();
        message.writeCharSequence(text, StandardCharsets.UTF_8);
        listener.accept(socket, message);
        assertThat(message.refCnt()).isEqualTo(1);
        message.release();
    }
}
