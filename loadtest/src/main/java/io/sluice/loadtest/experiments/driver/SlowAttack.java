package io.sluice.loadtest.experiments.driver;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;

/**
 * Many slow clients on one port of this machine, with a thread of their own. They come one after the
 * other, and stay until the server ends them. Slow readers need epoll: with NIO they notice that only when
 * they have read all that came before.
 */
public final class SlowAttack implements AutoCloseable {

    private static final int PER_SECOND = 1_000;
    /** What a slow reader takes at a time. */
    private static final int READ_AT_ONCE = 16;
    /** So that little of an answer is on its way: the kernel makes some kilobytes of it. */
    private static final int RECEIVE_BUFFER = 4 * 1024;
    /**
     * TCP_MAXSEG: as from elsewhere. Of segments as large as those of this machine's own (64 KiB) the kernel
     * would have the server send so many ahead that megabytes of each answer were gone at once.
     */
    private static final ChannelOption<Integer> MAX_SEGMENT =
            new IntegerUnixChannelOption("TCP_MAXSEG", 6, 2);
    private static final int ETHERNET = 1_460;
    private static final long LONGEST = Duration.ofMinutes(10).toNanos();

    private final EventLoopGroup group;
    private final EventLoop loop;
    private final Bootstrap bootstrap;
    private final int wanted;
    private final Histogram lives = new Histogram(LONGEST, 3);
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private Future<?> opening;
    private int begun;
    private int connected;
    private int failed;
    private boolean closed;

    private SlowAttack(int port, int wanted, SlowClient client, Duration pause) {
        this.wanted = wanted;
        var transport = Transport.best();
        group = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("attack-" + port, true), transport.handler());
        loop = group.next();
        bootstrap = new Bootstrap()
                .group(loop)
                .channel(transport.channel())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.AUTO_READ, !client.reads())
                .remoteAddress("127.0.0.1", port)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(
                                new SlowConnection(client, pause, SlowAttack.this::cutOff));
                    }
                });
        if (client.reads()) {
            bootstrap.option(ChannelOption.SO_RCVBUF, RECEIVE_BUFFER)
                    .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_AT_ONCE));
            if (transport.hasOptionsOfUnix()) {
                bootstrap.option(MAX_SEGMENT, ETHERNET);
            }
        }
    }

    /**
     * So many clients, a thousand of whom come in a second; returns before they do.
     *
     * @param pause between the few bytes that each of them sends, or reads
     */
    public static SlowAttack of(int port, int clients, SlowClient client, Duration pause) {
        var attack = new SlowAttack(port, clients, client, pause);
        attack.loop.execute(attack::begin);
        return attack;
    }

    /** How long so many clients need to come. */
    public static Duration coming(int clients) {
        return Duration.ofSeconds(1).multipliedBy(clients).dividedBy(PER_SECOND);
    }

    private void begin() {
        opening = loop.scheduleAtFixedRate(this::next, 0, TimeUnit.SECONDS.toNanos(1) / PER_SECOND,
                TimeUnit.NANOSECONDS);
    }

    private void next() {
        bootstrap.connect().addListener((ChannelFuture attempt) -> {
            if (attempt.isSuccess()) {
                connected++;
            } else {
                failed++;
                endIfOver();
            }
        });
        if (++begun == wanted) {
            opening.cancel(false);
        }
    }

    private void cutOff(long nanos) {
        if (!closed) {
            lives.recordValue(Math.min(nanos, LONGEST));
            endIfOver();
        }
    }

    private void endIfOver() {
        if (failed + lives.getTotalCount() == wanted) {
            over.complete(null);
        }
    }

    /**
     * What has become of the clients so far.
     *
     * @param lives for how many nanoseconds those were connected that the server has cut off
     */
    public record Outcome(int connected, Histogram lives) {

        /** Of no attack. */
        public static final Outcome NONE = new Outcome(0, new Histogram(LONGEST, 3));
    }

    /** Waits until the server has cut off all of them, at most for so long; says what has become of them. */
    public Outcome outcome(Duration patience) throws InterruptedException, ExecutionException {
        try {
            over.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            // that is the outcome
        }
        return loop.submit(() -> new Outcome(connected, lives.copy())).get();
    }

    /** Ends what is left of it; blocks until that is done. */
    @Override
    public void close() {
        loop.execute(() -> closed = true);
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }
}
