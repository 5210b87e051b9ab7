package io.sluice.gateway.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.sluice.gateway.websocket.SocketServer.Recorder;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.TunnelConnection;
import io.sluice.handlers.WebSocket;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A WebSocket for which memory ends while it decodes input that it has kept. */
class WebSocketConnectionTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<String> calls = new ArrayList<>();
    private final Recorder listener = new Recorder() {
        @Override
        public void opened(WebSocket socket) {
            socket.pause();
        }
    };
    private boolean memoryEnds;

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    @Test
    void isClosedWith1011() {
        var client = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        var socket = new WebSocketConnection(of(Exchange.class,
                (_, method, _) -> method.getName().equals("clientAddress") ? client : null),
                SocketServer.route("/", new SocketSettings()), null, listener, 0);
        socket.opened(of(TunnelConnection.class, (_, method, arguments) -> switch (method.getName()) {
            case "eventLoop" -> channel.eventLoop();
            case "alloc" -> new Memory();
            case "isWritable" -> true;
            case "write" -> calls.add(hex((ByteBuf) arguments[0]));
            default -> {
                calls.add(method.getName());
                yield null;
            }
        }));
        ByteBuf input = Unpooled.wrappedBuffer(ClientFrame.of(Opcode.TEXT, "a part"));
        socket.read(input);
        socket.readComplete();
        assertThat(calls).containsExactly("pause");

        memoryEnds = true;
        socket.resume();
        assertThat(calls).hasSize(4).endsWith("close", "flush");
        assertThat(calls.get(1)).startsWith("8817" + "03f3"); // 1011
        assertThat(listener.rest()).containsExactly("closed");
        assertThat(input.refCnt()).isZero();
    }

    private static <T> T of(Class<T> type, InvocationHandler calls) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, calls));
    }

    private static String hex(ByteBuf bytes) {
        try {
            return ByteBufUtil.hexDump(bytes);
        } finally {
            bytes.release();
        }
    }

    /** Memory that ends once. */
    private final class Memory extends PooledByteBufAllocator {
        Memory() {
            super(false);
        }

        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            if (memoryEnds) {
                memoryEnds = false;
                throw new OutOfMemoryError("a test's");
            }
            return super.newHeapBuffer(initialCapacity, maxCapacity);
        }
    }
}
