package io.sluice.gateway.limits;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import io.sluice.handlers.BytesByClient;
import io.sluice.handlers.HttpException;
import io.sluice.offload.ClientNetwork;
import io.sluice.offload.RareWarning;
import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The heap that a connection's requests occupy: their heads, from the first line until the responses are
 * written and the bodies read, their streams, and the codec of HTTP/2; over {@code ws-rpc}, also
 * subscriptions. A few KiB are free; what exceeds them counts in a part of the heap that all connections
 * share, and of which one client has a half at most. Without this bound, a few thousand connections fill a
 * small heap faster than {@link HeapMemory} notices. Confined to the connection's event loop.
 */
public final class RequestMemory {
    /** The bytes of the objects for a header field, besides its text. */
    public static final int FIELD = 100;
    /** The bytes of an HTTP/2 connection beyond those of one of HTTP/1: its codec and the tables of HPACK. */
    public static final int HTTP2 = 8 * 1024;
    /** The bytes of a stream of HTTP/2 besides its head. */
    public static final int STREAM = 2 * 1024;

    private static final Logger log = LoggerFactory.getLogger(RequestMemory.class);

    /** For each connection; {@link ConnectionLimits} leave room for it. */
    private static final int FREE = 4 * 1024;
    /** The bytes that are counted at once, since all event loops share the counter. */
    private static final int BLOCK = 4 * 1024;
    private static final long LIMIT = Runtime.getRuntime().maxMemory() / 4;
    private static final AtomicLong ALL = new AtomicLong();
    private static final BytesByClient BY_CLIENT = new BytesByClient();
    private static final AttributeKey<RequestMemory> OF_STREAMS =
            AttributeKey.valueOf(RequestMemory.class, "streams");
    private static final RareWarning WARNINGS = new RareWarning();

    private final Channel connection;
    private final Supplier<@Nullable InetAddress> address;
    private @Nullable ClientNetwork client;
    private int used;
    /** The bytes that count for all connections, a multiple of {@link #BLOCK}. */
    private int counted;
    /** Indicates whether the end of the connection will give back what is counted. */
    private boolean attached;
    /** Indicates whether each request names its client; true until anything counts. */
    private boolean shared = true;

    /**
     * Creates the account of a connection, which is settled when the connection is closed.
     *
     * @param address returns the client's address; null if several clients share the connection
     */
    public RequestMemory(Channel connection, Supplier<@Nullable InetAddress> address) {
        this.connection = connection;
        this.address = address;
    }

    /** Returns the account of a tunnel: over HTTP/2 that of its connection, else one of its own. */
    public static RequestMemory ofTunnel(Channel connection, InetAddress client) {
        RequestMemory ofStreams = connection.attr(OF_STREAMS).get();
        return ofStreams == null ? new RequestMemory(connection, () -> client) : ofStreams;
    }

    /** Makes this the account of the tunnels over the connection's streams, too. */
    public void shareWithTunnels() {
        connection.attr(OF_STREAMS).set(this);
    }

    /** Returns the bytes that count for all connections. Any thread. */
    public static long counted() {
        return ALL.get();
    }

    /** Returns the bytes that all connections may use besides those that are free. */
    public static long limit() {
        return LIMIT;
    }

    /** Returns the refusal of a request, or a subscription, for which there is no room. */
    public static HttpException refusal() {
        return HttpException.tryAgain("the gateway is short of memory for requests", null);
    }

    /**
     * Makes all count for the client that a request names, if several share the connection.
     *
     * @throws HttpException if the requests of that client take more than its half
     */
    public void countFor(InetAddress of) {
        if (shared) {
            count(client, -counted);
            client = ClientNetwork.of(of);
            count(client, counted);
            if (counted > 0) {
                requireRoom(client, of);
            }
        }
    }

    /** Counts bytes for a client as well, or no longer if negative. */
    static void count(@Nullable ClientNetwork client, int bytes) {
        if (client != null) {
            BY_CLIENT.add(client, bytes);
        }
    }

    /** Throws {@link #refusal()} if the requests of a client take more than its half. */
    static void requireRoom(ClientNetwork client, InetAddress of) {
        if (isFull(client)) {
            warn(of, LIMIT / 2);
            throw refusal();
        }
    }

    /** Returns whether the requests of a client take more than its half. */
    static boolean isFull(ClientNetwork client) {
        return BY_CLIENT.of(client) > LIMIT / 2;
    }

    /** Returns whether several clients share the connection. Known only if anything counts. */
    boolean isShared() {
        return attached && shared;
    }

    /**
     * Takes memory if there is room.
     *
     * @return whether it is taken, and must be given back
     */
    public boolean tryTake(int bytes) {
        int more = blocks(used + bytes) - counted;
        if (more > 0 && !tryCount(more)) {
            return false;
        }
        used += bytes;
        return true;
    }

    /** Returns whether there is room for further bytes. */
    public boolean hasRoom(int bytes) {
        if (!tryTake(bytes)) {
            return false;
        }
        used -= bytes; // they are taken soon
        return true;
    }

    /** Takes memory in any case. */
    public void take(int bytes) {
        used += bytes;
        int more = blocks(used) - counted;
        if (more > 0) {
            count(more);
        }
    }

    /** Gives back memory that was taken. */
    public void giveBack(int bytes) {
        used -= bytes;
        int less = counted - blocks(used);
        if (less > BLOCK || less > 0 && used <= FREE) {
            count(-less);
        }
    }

    private static int blocks(int used) {
        return used <= FREE ? 0 : (used - FREE + BLOCK - 1) / BLOCK * BLOCK;
    }

    private boolean tryCount(int bytes) {
        long ofClient = count(bytes);
        boolean fits = ALL.get() <= LIMIT;
        if (fits && ofClient <= LIMIT / 2) {
            return true;
        }
        count(-bytes);
        warn(fits ? address.get() : "all clients", fits ? LIMIT / 2 : LIMIT);
        return false;
    }

    private static void warn(@Nullable Object clients, long limit) {
        if (WARNINGS.tryTake()) {
            log.warn("requests and subscriptions of {} take {} MiB of the heap, the most that they may "
                    + "(-Xmx): further ones are refused", clients, limit >> 20);
        }
    }

    /** Counts bytes for all connections, and returns those of the client; 0 if several share this one. */
    private long count(int bytes) {
        boolean first = !attached;
        if (first) {
            attached = true;
            InetAddress of = address.get();
            shared = of == null;
            client = of == null ? client : ClientNetwork.of(of);
        }
        counted += bytes;
        ALL.addAndGet(bytes);
        long ofClient = client == null ? 0 : BY_CLIENT.add(client, bytes);
        if (first) {
            connection.closeFuture().addListener(_ -> close());
        }
        return shared ? 0 : ofClient;
    }

    private void close() {
        used = Integer.MIN_VALUE / 2; // what is given back later counts no more
        if (counted > 0) {
            count(-counted);
        }
    }
}
