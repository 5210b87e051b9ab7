package io.sluice.handlers.upstream.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.resolver.HostsFileEntriesResolver;
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

    private NameWatch.Source source() {
        return new NameWatch.Source(channel.eventLoop(),
                new ChannelFactories(NioDatagramChannel::new, NioSocketChannel::new), List.of());
    }

    /** Netty's default is to read it once in the life of a process. */
    @Test
    void noticesThatTheHostsFileHasChanged() {
        var watch = new NameWatch("127.0.0.1", source(), List.of(), told::add);
        assertThat(HostsFileEntriesResolver.DEFAULT).extracting("refreshInterval").isEqualTo(1_000_000_000L);
        watch.close();
        channel.finishAndReleaseAll();
    }

    @Test
    void goesOnWhateverTheListenerThrows() {
        channel.freezeTime();
        var _ = new NameWatch("127.0.0.1", source(), List.of(), addresses -> {
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
