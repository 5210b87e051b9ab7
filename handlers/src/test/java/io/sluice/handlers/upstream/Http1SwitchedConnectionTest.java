package io.sluice.handlers.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class Http1SwitchedConnectionTest {
    private final Http1SwitchedConnection connection = new Http1SwitchedConnection();
    private final EmbeddedChannel channel = new EmbeddedChannel(connection);
    private final List<String> events = new ArrayList<>();

    private final class Recorder implements SwitchedConnection.Receiver {

        @Override
        public void read(ByteBuf bytes) {
            bytes.release();
        }

        @Override
        public void readComplete() {
            // not recorded
        }

        @Override
        public void writable() {
            // not recorded
        }

        @Override
        public void inputClosed() {
            events.add("input closed");
        }

        @Override
        public void closed(boolean broken) {
            events.add(broken ? "broken" : "closed");
        }
    }

    @Test
    void isBrokenByAReset() {
        connection.receive(new Recorder());
        channel.pipeline().fireExceptionCaught(new IOException("Connection reset"));

        assertThat(events).containsExactly("broken");
    }

    /** The endpoint has closed its socket, and resets what is still sent to it. */
    @Test
    void isNotBrokenByAResetBehindTheEnd() {
        connection.receive(new Recorder());
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        channel.pipeline().fireExceptionCaught(new IOException("Broken pipe"));

        assertThat(events).containsExactly("input closed", "closed");
    }

    /** The decoder passes on what has arrived behind a 101 that was refused. */
    @Test
    void dropsBytesThatArriveAfterItIsClosed() {
        ByteBuf early = Unpooled.buffer().writeByte(1);
        ByteBuf late = Unpooled.buffer().writeByte(2);
        channel.writeInbound(early);
        ChannelHandlerContext ctx = channel.pipeline().context(connection);
        connection.close();
        connection.channelRead(ctx, late); // in the same turn of the event loop

        assertThat(early.refCnt()).isZero();
        assertThat(late.refCnt()).isZero();
    }
}
