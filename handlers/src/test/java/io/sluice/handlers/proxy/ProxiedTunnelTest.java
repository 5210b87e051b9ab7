package io.sluice.handlers.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.handlers.TunnelConnection;
import io.sluice.handlers.upstream.SwitchedConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A proxied tunnel that is open in one direction only, with a clock of the test. */
class ProxiedTunnelTest {
    private final EmbeddedChannel loop = new EmbeddedChannel();
    private final List<String> calls = new ArrayList<>();
    private boolean admitted = true;
    /** The bytes that the endpoint has got. */
    private int written;
    private final ToEndpoint endpoint = new ToEndpoint();
    private final ProxiedTunnel tunnel = new ProxiedTunnel(endpoint, Duration.ofMinutes(5));

    private final class ToEndpoint implements SwitchedConnection {
        private Receiver receiver;

        @Override
        public void receive(Receiver to) {
            receiver = to;
        }

        @Override
        public void write(ByteBuf bytes) {
            written += bytes.readableBytes();
            bytes.release();
        }

        @Override
        public void flush() {
        }

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public void pause() {
        }

        @Override
        public void resume() {
        }

        @Override
        public void shutdownOutput() {
            calls.add("endpoint: shut down");
        }

        @Override
        public void onClose(Runnable action) {
            throw new UnsupportedOperationException("the proxy's");
        }

        @Override
        public void close() {
            calls.add("endpoint: close");
        }
    }

    private final class ToClient implements TunnelConnection {

        @Override
        public EventExecutor eventLoop() {
            return loop.eventLoop();
        }

        @Override
        public ByteBufAllocator alloc() {
            return loop.alloc();
        }

        @Override
        public void write(ByteBuf bytes) {
            bytes.release();
        }

        @Override
        public void flush() {
        }

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public boolean isAdmitted() {
            return admitted;
        }

        @Override
        public long taken() {
            return 0;
        }

        @Override
        public void pause() {
        }

        @Override
        public void resume() {
        }

        @Override
        public void shutdownOutput() {
            calls.add("client: shut down");
        }

        @Override
        public void close() {
            calls.add("client: close");
        }

        @Override
        public void reset() {
            calls.add("client: reset");
        }
    }

    @BeforeEach
    void open() {
        loop.freezeTime();
        tunnel.opened(new ToClient());
    }

    @AfterEach
    void stop() {
        loop.finishAndReleaseAll();
    }

    private void pass(long millis) {
        loop.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
        loop.runScheduledPendingTasks();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void isClosedIfTheOtherSideDoesNotCloseWithin10Seconds(boolean byClient) {
        if (byClient) {
            tunnel.inputClosed();
        } else {
            endpoint.receiver.inputClosed();
        }
        pass(9_999);
        assertThat(calls).containsExactly(byClient ? "endpoint: shut down" : "client: shut down");
        pass(1);
        assertThat(calls).hasSize(2).last().isEqualTo("client: close");
    }

    /** A client that stops to read in the middle of a frame could keep what a reload has replaced in use. */
    @Test
    void isResetIfItDoesNotEndWithin10SecondsOfADrain() {
        endpoint.receiver.read(Unpooled.wrappedBuffer(new byte[] {(byte) 0x82, 5, 'a'}));
        tunnel.drain();
        pass(9_999);
        assertThat(calls).isEmpty();
        pass(1);
        assertThat(calls).containsExactly("client: reset");
    }

    @Test
    void endsWithTheNextBytesOfAClientWhoseTokenWasRevoked() {
        tunnel.read(Unpooled.wrappedBuffer(new byte[] {(byte) 0x82, (byte) 0x80, 0, 0, 0, 0}));
        int before = written;
        admitted = false;
        ByteBuf further = Unpooled.wrappedBuffer(new byte[] {(byte) 0x82, (byte) 0x80, 0, 0, 0, 0});
        tunnel.read(further);

        assertThat(further.refCnt()).isZero();
        assertThat(written - before).as("a frame for the end, with code 1001").isEqualTo(8);
        assertThat(calls).containsExactly("client: close");
    }

    @Test
    void isNotResetIfItEndsInTime() {
        tunnel.drain();
        tunnel.drain();
        assertThat(calls).containsExactly("client: close");
        tunnel.closed();
        pass(60_000);
        assertThat(calls).containsExactly("client: close", "endpoint: close");
    }

    @Test
    void isClosedOnce() {
        tunnel.inputClosed();
        endpoint.receiver.inputClosed();
        tunnel.closed();
        pass(60_000);
        assertThat(calls).containsExactly("endpoint: shut down", "client: shut down", "endpoint: close");
    }
}
