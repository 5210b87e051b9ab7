package io.sluice.handlers.upstream.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A watch on a loop whose clock the test moves. Its name is an address, for which no server is asked and no
 * channel is open.
 */
class NameWatchTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<List<InetAddress>> told = new ArrayList<>();

    @Test
    void goesOnWhateverTheListenerThrows() {
        channel.freezeTime();
        var source = new NameWatch.Source(channel.eventLoop(),
                new Sockets(NioDatagramChannel.class, NioSocketChannel.class), List.of());
        var _ = new NameWatch("127.0.0.1", source, addresses -> {
            told.add(addresses);
            throw new StackOverflowError("thrown by a test");
        });
        channel.runPendingTasks();
        for (int i = 1; i <= 3; i++) {
            assertThat(told).hasSize(i);
            channel.advanceTimeBy(30, TimeUnit.SECONDS);
            channel.runPendingTasks();
        }
        channel.finishAndReleaseAll();
    }
}
