package io.sluice.gateway.tunnel;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.gateway.limits.DirectMemory;
import io.sluice.gateway.net.ConnectionEvent;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.net.TunnelCounts;
import io.sluice.gateway.peer.Credential;
import io.sluice.handlers.Tunnel;
import io.sluice.handlers.TunnelConnection;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The last handler of a connection or stream that a {@link Tunnel} has taken over, from the response that
 * opens it to its close. A subclass for each HTTP version frames the bytes and closes the halves of the
 * connection. On the event loop.
 */
public abstract class TunnelHandler extends ChannelInboundHandlerAdapter
        implements TunnelConnection, DrainableSet.Drainable {
    private final Tunnel tunnel;
    private final DrainableSet ofRoute;
    private final TunnelCounts counts;
    private final EventExecutor loop;
    private Credential credential = Credential.NONE;
    private ChannelHandlerContext ctx;
    /** Null if the tunnel has no idle timeout. */
    private @Nullable IdleTimeout idle;
    private boolean inputClosed;
    private boolean outputClosed;
    private boolean closing;
    private boolean cutOff;

    /** Creates a handler for a tunnel that is about to be opened by a request to a route. */
    protected TunnelHandler(Tunnel tunnel, DrainableSet ofRoute, TunnelCounts counts, EventExecutor loop) {
        this.tunnel = tunnel;
        this.ofRoute = ofRoute;
        this.counts = counts;
        this.loop = loop;
    }

    /**
     * Counts the tunnel among those of its route. To be called before its request ends, so that nothing the
     * tunnel uses is closed in between.
     *
     * @param opener of the request
     */
    public final void register(Credential opener) {
        credential = opener;
        ofRoute.add(this);
    }

    @Override
    public final Credential credential() {
        return credential;
    }

    @Override
    public final void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
        counts.addOpened();
        call(this::open);
    }

    private void open() {
        if (tunnel.allowsHalfClose()) {
            allowHalfClose();
        }
        tunnel.idleTimeout().ifPresent(limit -> idle = new IdleTimeout(this, limit));
        tunnel.opened(this);
    }

    /**
     * Calls the tunnel and resets the connection if that fails. The caller may be a task of this or of
     * another tunnel.
     */
    private void call(Runnable step) {
        if (closing) {
            return;
        }
        try {
            step.run();
        } catch (Throwable e) {
            exceptionCaught(ctx, e);
        }
    }

    /** Returns this handler's context in the pipeline. */
    protected final ChannelHandlerContext context() {
        return ctx;
    }

    // --- events of the connection

    /** Delivers bytes to the tunnel; takes ownership of them. */
    protected final void read(ByteBuf bytes) {
        if (closing) {
            bytes.release();
            return;
        }
        moved();
        counts.addBytesIn(bytes.readableBytes());
        try {
            tunnel.read(bytes);
        } catch (Throwable e) { // not call(), which would allocate a lambda for each read
            exceptionCaught(ctx, e);
        }
    }

    @Override
    public final void channelReadComplete(ChannelHandlerContext context) {
        tunnel.readComplete();
    }

    /** Reports that the client has closed its sending half, after its last byte has been delivered. */
    protected void inputClosed() {
        inputClosed = true;
        if (closing) {
            return;
        }
        if (tunnel.allowsHalfClose()) {
            call(tunnel::inputClosed);
        } else {
            call(() -> tunnel.close(this));
        }
    }

    @Override
    public final void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            // Executed later: this may be called within a write.
            context.executor().execute(() -> call(tunnel::writable));
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ConnectionEvent.Drain drain) {
            drainAfter(drain.delayNanos());
        } else if (event instanceof ConnectionEvent.MemoryShort) {
            call(!isBelowWaterMark() && DirectMemory.isShort() ? this::reset : tunnel::memoryShort);
        } else if (event instanceof ConnectionEvent.End) {
            call(tunnel::end);
        }
    }

    @Override
    public final void drainAfter(long nanos) {
        loop.schedule(() -> call(tunnel::drain), nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public final void channelInactive(ChannelHandlerContext context) {
        closing = true;
        outputClosed = true;
        dropInput(); // the client may leave while its input is still held
        counts.addClosed();
        ofRoute.remove(this);
        if (idle != null) {
            idle.stop();
        }
        tunnel.closed();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Connections.logBroken(cause);
        reset();
    }

    // --- requests of the tunnel

    @Override
    public final EventExecutor eventLoop() {
        return loop;
    }

    @Override
    public final ByteBufAllocator alloc() {
        return ctx.alloc();
    }

    @Override
    public final void write(ByteBuf bytes) {
        if (outputClosed) {
            bytes.release();
            return;
        }
        if (isBelowWaterMark()) {
            moved(); // taken() measures the progress of writes that have to wait
        }
        counts.addBytesOut(bytes.readableBytes());
        ctx.write(framed(bytes), ctx.voidPromise());
    }

    @Override
    public final boolean isAdmitted() {
        return ofRoute.admits(credential);
    }

    @Override
    public final void flush() {
        ctx.flush();
    }

    @Override
    public final boolean isWritable() {
        return isBelowWaterMark() && !DirectMemory.isShort();
    }

    /** Returns whether the client reads bytes as fast as they are written, however short memory is. */
    final boolean isBelowWaterMark() {
        return ctx.channel().isWritable();
    }

    @Override
    public final void shutdownOutput() {
        if (!outputClosed) {
            outputClosed = true;
            endOutput();
        }
    }

    @Override
    public final void close() {
        if (!closing) {
            closing = true;
            dropInput();
            boolean outputOpen = !outputClosed;
            outputClosed = true;
            linger(outputOpen);
        }
    }

    /** Has no effect a second time: each of thousands of waiting writes fails, and so calls this. */
    @Override
    public final void reset() {
        if (!cutOff) {
            cutOff = true;
            closing = true;
            outputClosed = true;
            abort();
        }
    }

    /** Returns whether the connection or stream was reset from this side. */
    protected final boolean isCutOff() {
        return cutOff;
    }

    /** Returns whether no further input is delivered to the tunnel. */
    protected final boolean isClosing() {
        return closing;
    }

    /** Returns whether both sides have stopped sending. */
    protected final boolean isClosedBothWays() {
        return inputClosed && outputClosed;
    }

    /** Returns whether the tunnel has an idle timeout of its own, in place of a minimum pace. */
    public final boolean hasIdleTimeout() {
        return idle != null;
    }

    private void moved() {
        if (idle != null) {
            idle.moved();
        }
    }

    // --- differences between the HTTP versions

    /** Makes the end of the client's input call {@link #inputClosed()} instead of closing the connection. */
    protected abstract void allowHalfClose();

    /** Returns the message that carries these bytes; takes ownership of them. */
    protected abstract Object framed(ByteBuf bytes);

    /** Closes the sending half after the pending writes. */
    protected abstract void endOutput();

    /** Releases held input and drops further input. */
    protected abstract void dropInput();

    /**
     * Closes the connection after the pending writes, when the client has closed its half or after a short
     * wait.
     *
     * @param outputOpen whether the sending half is still open
     */
    protected abstract void linger(boolean outputOpen);

    /** Closes the connection at once. */
    protected abstract void abort();
}
