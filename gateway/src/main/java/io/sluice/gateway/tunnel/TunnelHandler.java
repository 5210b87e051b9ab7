package io.sluice.gateway.tunnel;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.EventExecutor;
import io.sluice.gateway.net.Connections;
import io.sluice.gateway.net.Connections.DrainEvent;
import io.sluice.gateway.net.Connections.EndEvent;
import io.sluice.handlers.Tunnel;
import io.sluice.handlers.TunnelConnection;
import java.util.concurrent.TimeUnit;

/**
 * The last handler of a connection or stream that a {@link Tunnel} has taken over, from the answer to the
 * request to the end. How bytes are framed, and how halves are closed, is the business of a subclass for each
 * version of HTTP.
 */
public abstract class TunnelHandler extends ChannelInboundHandlerAdapter implements TunnelConnection {
    private final Tunnel tunnel;
    private final Connections connections;
    private ChannelHandlerContext ctx;
    /** Null where the tunnel has none. */
    private IdleTimeout idle;
    private boolean inputClosed;
    private boolean outputClosed;
    private boolean closing;

    /** A handler for a tunnel that is about to be opened. */
    protected TunnelHandler(Tunnel tunnel, Connections connections) {
        this.tunnel = tunnel;
        this.connections = connections;
    }

    @Override
    public final void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
        connections.tunnelOpened();
        call(this::open);
    }

    private void open() {
        if (tunnel.allowsHalfClose()) {
            allowHalfClose();
        }
        tunnel.idleTimeout().ifPresent(limit -> idle = new IdleTimeout(this, limit));
        tunnel.opened(this);
    }

    /** Calls the tunnel, which may be called from a task of its own or of another tunnel. */
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

    /** Where this handler stands in the pipeline. */
    protected final ChannelHandlerContext context() {
        return ctx;
    }

    // --- what comes

    /** Hands bytes to the tunnel, and owns them. */
    protected final void read(ByteBuf bytes) {
        if (closing) {
            bytes.release();
            return;
        }
        moved();
        connections.tunnelRead(bytes.readableBytes());
        try {
            tunnel.read(bytes);
        } catch (Throwable e) { // and without a step for each read
            exceptionCaught(ctx, e);
        }
    }

    @Override
    public final void channelReadComplete(ChannelHandlerContext context) {
        tunnel.readComplete();
    }

    /** The client has closed its sending half, and its last byte has been handed on. */
    protected void inputClosed() {
        inputClosed = true;
        if (closing) {
            return;
        }
        if (tunnel.allowsHalfClose()) {
            call(tunnel::inputClosed);
        } else {
            close();
        }
    }

    @Override
    public final void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            // Later: this may be called from within a write.
            context.executor().execute(() -> call(tunnel::writable));
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof DrainEvent drain) {
            context.executor()
                    .schedule(() -> call(tunnel::drain), drain.delayNanos(), TimeUnit.NANOSECONDS);
        } else if (event instanceof EndEvent) {
            call(tunnel::end);
        }
    }

    @Override
    public final void channelInactive(ChannelHandlerContext context) {
        closing = true;
        outputClosed = true;
        dropInput(); // a client may go away while what it has sent is kept
        connections.tunnelClosed();
        if (idle != null) {
            idle.stop();
        }
        tunnel.closed();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Connections.broke(cause);
        reset();
    }

    // --- what the tunnel asks for

    @Override
    public final EventExecutor eventLoop() {
        return ctx.executor();
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
        if (isWritable()) {
            moved(); // the progress of what has to wait is taken()
        }
        connections.tunnelWrote(bytes.readableBytes());
        ctx.write(framed(bytes), ctx.voidPromise());
    }

    @Override
    public final void flush() {
        ctx.flush();
    }

    @Override
    public final boolean isWritable() {
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

    @Override
    public final void reset() {
        closing = true;
        outputClosed = true;
        abort();
    }

    /** Whether nothing more is handed to the tunnel. */
    protected final boolean isClosing() {
        return closing;
    }

    /** Whether neither side sends any more. */
    protected final boolean isClosedBothWays() {
        return inputClosed && outputClosed;
    }

    private void moved() {
        if (idle != null) {
            idle.moved();
        }
    }

    // --- what differs between the versions of HTTP

    /** Has {@link #inputClosed()} called instead of the connection closed. */
    protected abstract void allowHalfClose();

    /** What bytes, whose owner it becomes, are written as. */
    protected abstract Object framed(ByteBuf bytes);

    /** Closes the sending half behind what has been written. */
    protected abstract void endOutput();

    /** Forgets what has been kept, and drops what still comes. */
    protected abstract void dropInput();

    /**
     * Closes the connection behind what has been written, when the client has closed its half or after a
     * moment.
     *
     * @param outputOpen whether the sending half is still to be closed
     */
    protected abstract void linger(boolean outputOpen);

    /** Closes the connection at once. */
    protected abstract void abort();
}
