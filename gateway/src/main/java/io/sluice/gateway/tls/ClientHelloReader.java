package io.sluice.gateway.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.AbstractSniHandler;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import io.netty.util.concurrent.Ticker;
import io.sluice.gateway.net.LingeringClose;
import io.sluice.gateway.net.LoopTurns;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Reads the ClientHello. The server name in it (RFC 6066 section 3) selects the certificate. The offered
 * protocols (RFC 7301) are checked here, as BoringSSL cannot be made to reject a client that offers none in
 * common. This handler is then replaced by the one that secures the connection.
 */
final class ClientHelloReader extends AbstractSniHandler<SslHandler> {
    /** The alert decode_error (RFC 8446 section 6.2). */
    private static final byte DECODE_ERROR = 50;
    /** The alert no_application_protocol (RFC 7301 section 3.2). */
    private static final byte NO_APPLICATION_PROTOCOL = 120;

    /**
     * The most bytes of a ClientHello, the headers of its records included. In records of one byte each,
     * which BoringSSL takes one by one, 28 KiB occupy the event loop for 3 ms.
     */
    private static final int MAX_BYTES = 28 * 1024;

    private final TlsProtocol tls;
    private final TlsHandshake handshake;
    private final Ticker clock;
    private final long acceptedNanos;
    /** Indicates whether the client was rejected; further input is dropped. */
    private boolean refused;

    ClientHelloReader(TlsProtocol tls, TlsHandshake handshake, Ticker clock) {
        super(tls.config().handshakeTimeout().toMillis());
        this.tls = tls;
        this.handshake = handshake;
        this.clock = clock;
        acceptedNanos = clock.nanoTime();
    }

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
        if (!refused && isLetter(in.getByte(in.readerIndex()))) {
            refused = true;
            handshake.failed(HandshakeFailure.PLAIN_HTTP);
            tls.refusal().answer(ctx);
        } else if (!refused && in.readableBytes() > MAX_BYTES) {
            refused = true;
            handshake.failed(HandshakeFailure.PROTOCOL);
            alert(ctx, DECODE_ERROR);
        }
        if (refused) {
            in.skipBytes(in.readableBytes());
        } else {
            super.decode(ctx, in, out);
        }
    }

    /** A TLS record never begins with a letter, an HTTP request always does. */
    private static boolean isLetter(byte first) {
        return first >= 'A' && first <= 'Z' || first >= 'a' && first <= 'z';
    }

    @Override
    protected Future<SslHandler> lookup(ChannelHandlerContext ctx, ByteBuf hello) throws Exception {
        handshake.started();
        List<String> offered = hello == null ? List.of() : ClientHello.protocols(hello);
        if (offered.isEmpty() || tls.speaksOneOf(offered)) {
            return super.lookup(ctx, hello);
        }
        refused = true;
        alert(ctx, NO_APPLICATION_PROTOCOL);
        return ctx.executor().newFailedFuture(new NoSharedProtocol());
    }

    /** Closes the connection with a fatal alert, in a record of TLS 1.2 or 1.3. */
    private static void alert(ChannelHandlerContext ctx, byte description) {
        ctx.write(Unpooled.wrappedBuffer(new byte[] {21, 3, 3, 0, 2, 2, description}), ctx.voidPromise());
        LingeringClose.close(ctx);
    }

    @Override
    protected Future<SslHandler> lookup(ChannelHandlerContext ctx, String hostname) {
        ctx.channel().config().setAutoRead(false); // at most one read in an iteration of the loop from now on
        Promise<SslHandler> found = ctx.executor().newPromise();
        LoopTurns.ofThisLoop().add(ctx.executor(), () -> begin(ctx, hostname, found));
        return found;
    }

    /**
     * Has the handshake computed, which takes some milliseconds, in a turn of the event loop. The client may
     * have been refused meanwhile, because of further input.
     */
    private void begin(ChannelHandlerContext ctx, String hostname, Promise<SslHandler> found) {
        if (refused || ctx.isRemoved()) { // no pipeline would take over the engine, and release it
            found.setFailure(new ClosedChannelException());
            return;
        }
        try {
            SslHandler handler = tls.certificates().newHandler(hostname);
            long spent = TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - acceptedNanos);
            handler.setHandshakeTimeoutMillis(Math.max(1, handshakeTimeoutMillis - spent));
            found.setSuccess(handler);
        } catch (Throwable e) {
            found.tryFailure(e);
        } finally {
            ctx.channel().config().setAutoRead(true);
        }
    }

    @Override
    protected void onLookupComplete(ChannelHandlerContext ctx, String hostname, Future<SslHandler> found) {
        if (refused || ctx.isRemoved()) {
            return; // the client has got an alert, or has left
        }
        if (!found.isSuccess()) {
            throw new DecoderException("no TLS context", found.cause());
        }
        SslHandler handler = found.getNow();
        try {
            if (handler.engine() instanceof ReferenceCountedOpenSslEngine) {
                ctx.pipeline().replace(this, null, handler);
            } else {
                ctx.pipeline().addAfter(ctx.name(), null, handler)
                        .replace(this, null, new EmptyRecordLimit());
            }
        } catch (RuntimeException e) {
            ReferenceCountUtil.release(handler.engine()); // the pipeline did not take it over
            throw e;
        }
    }
}
