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
import org.jspecify.annotations.Nullable;

/**
 * Many slow clients on one port of this machine, with a separate thread. They connect one after the other and
 * stay until the server closes them. Slow readers need epoll: with NIO, they detect the close only after they
 * have read all data in front of it.
 */
public final class SlowAttack implements AutoCloseable {

    private static final int PER_SECOND = 1_000;
    /** Bytes that a slow reader reads at a time. */
    private static final int READ_AT_ONCE = 16;
    /** Small, so that little of a response is in transit; the kernel uses some KiB for it. */
    private static final int RECEIVE_BUFFER = 4 * 1024;
    /**
     * TCP_MAXSEG, as for remote clients. With the segments of loopback (64 KiB), the kernel would let the
     * server send megabytes of each response ahead.
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
    private @Nullable Future<?> opening;
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
     * Starts an attack, with 1,000 new clients per second; returns before they have connected.
     *
     * @param pause between the few bytes that each client sends or reads
     */
    public static SlowAttack of(int port, int clients, SlowClient client, Duration pause) {
        var attack = new SlowAttack(port, clients, client, pause);
        attack.loop.execute(attack::begin);
        return attack;
    }

    /** The time that the clients of an attack need to connect. */
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
        if (++begun == wanted && opening != null) {
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
     * The state of the clients.
     *
     * @param lives for how many nanoseconds those clients were connected that the server has closed
     */
    public record Outcome(int connected, Histogram lives) {

        /** The outcome without an attack. */
        public static final Outcome NONE = new Outcome(0, new Histogram(LONGEST, 3));
    }

    /** Waits until the server has closed all clients, or for the given time, and returns their state. */
    public Outcome outcome(Duration patience) throws InterruptedException, ExecutionException {
        try {
            over.get(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException _) {
            // that is the outcome
        }
        return loop.submit(() -> new Outcome(connected, lives.copy())).get();
    }

    /** Ends the attack; blocks until that is done. */
    @Override
    public void close() {
        loop.execute(() -> closed = true);
        group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(3, TimeUnit.SECONDS);
    }
}
