package io.sluice.handlers.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.Future;
import io.sluice.handlers.Tunnel;
import io.sluice.handlers.TunnelConnection;
import io.sluice.handlers.upstream.SwitchedConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket between a client and an endpoint, whose bytes pass unchanged. Only a drain inserts a frame: a
 * Close with 1001 in each direction that has had none, after a whole frame. Confined to the event loop.
 */
final class ProxiedTunnel implements Tunnel {
    /** The time for the other side to close after one has closed its sending half. */
    private static final long LINGER_SECONDS = 10;

    private final SwitchedConnection endpoint;
    private final Duration idle;
    private final FrameBoundary toClient = new FrameBoundary();
    private final FrameBoundary toEndpoint = new FrameBoundary();
    /** Null before the client's side is open. */
    private TunnelConnection client;
    private boolean draining;
    /** Indicates that the close frame has been written to the client. */
    private boolean left;
    /** Closes a tunnel that is open in one direction only; null while both are open. */
    private @Nullable Future<?> linger;
    /** Resets a tunnel that does not end after a drain; null before that. */
    private @Nullable Future<?> reset;

    /**
     * Creates a tunnel.
     *
     * @param endpoint owned by the tunnel from here on
     * @param idle the time without a byte after which the tunnel is closed
     */
    ProxiedTunnel(SwitchedConnection endpoint, Duration idle) {
        this.endpoint = endpoint;
        this.idle = idle;
    }

    @Override
    public void opened(TunnelConnection connection) {
        client = connection;
        endpoint.receive(new FromEndpoint());
    }

    @Override
    public boolean allowsHalfClose() {
        return true;
    }

    @Override
    public Optional<Duration> idleTimeout() {
        return Optional.of(idle);
    }

    @Override
    public void read(ByteBuf bytes) {
        if (!client.isAdmitted()) {
            bytes.release();
            drain(); // now, and not only when its turn in the drain of the reload comes
            return;
        }
        toEndpoint.scan(bytes);
        endpoint.write(bytes);
        if (!endpoint.isWritable()) {
            endpoint.flush(); // a full buffer waits for the endpoint only from here on
        }
        if (!endpoint.isWritable()) {
            client.pause();
        }
    }

    @Override
    public void readComplete() {
        endpoint.flush();
    }

    @Override
    public void writable() {
        endpoint.resume();
    }

    @Override
    public void inputClosed() {
        endpoint.shutdownOutput();
        linger();
    }

    /** Leaves time for the other side's last bytes. */
    private void linger() {
        if (linger == null) {
            linger = client.eventLoop().schedule(client::close, LINGER_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** Leaves after a frame; resets the connection if none ends within the time of a linger. */
    @Override
    public void drain() {
        draining = true;
        leaveAfterFrame();
        if (reset == null) {
            reset = client.eventLoop().schedule(client::reset, LINGER_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Override
    public void end() {
        drain();
    }

    /** Closes both sides if the client has a whole frame; otherwise that is tried after its next bytes. */
    private void leaveAfterFrame() {
        if (left || !toClient.isReached()) {
            return;
        }
        left = true;
        if (toClient.takesFrame()) {
            client.write(GoingAway.frame(client.alloc()));
            client.flush();
        }
        if (toEndpoint.takesFrame()) {
            endpoint.write(GoingAway.maskedFrame(client.alloc()));
            endpoint.flush();
        }
        client.close();
    }

    @Override
    public void closed() {
        if (linger != null) {
            linger.cancel(false);
        }
        if (reset != null) {
            reset.cancel(false);
        }
        endpoint.close();
    }

    /** Receives what the endpoint sends. */
    private final class FromEndpoint implements SwitchedConnection.Receiver {

        @Override
        public void read(ByteBuf bytes) {
            int end = draining ? toClient.scanOne(bytes) : toClient.scan(bytes);
            client.write(bytes.writerIndex(end));
            if (draining) {
                leaveAfterFrame();
            }
            if (!client.isWritable()) {
                endpoint.pause();
            }
        }

        @Override
        public void readComplete() {
            client.flush();
        }

        @Override
        public void writable() {
            client.resume();
        }

        @Override
        public void inputClosed() {
            client.shutdownOutput();
            linger();
        }

        /** Passes a reset on (RFC 8441 section 5), but not one that follows a Close of either side. */
        @Override
        public void closed(boolean broken) {
            if (broken && !left && !toClient.isAtClose() && !toEndpoint.isAtClose()) {
                client.reset();
            } else {
                client.close();
            }
        }
    }
}
