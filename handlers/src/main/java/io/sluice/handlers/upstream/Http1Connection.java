package io.sluice.handlers.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.PrematureChannelClosureException;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import io.sluice.handlers.upstream.connect.IdleConnections.Place;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A connection of HTTP/1.1 to an endpoint. It carries one request at a time, and waits among the idle
 * connections of its event loop in between.
 *
 * <p>A response ends when all arrived bytes have been read: those after it must not answer the next request.
 */
final class Http1Connection extends ChannelInboundHandlerAdapter implements UpstreamStream {
    private final Http1Connections home;
    private final Http1ResponseDecoder decoder;
    private final CountedRequest counted;
    private final SentRequest sent = new SentRequest();
    private final Place<Http1Connection> place = new Place<>(this);
    private ChannelHandlerContext ctx;
    /** The reader of the current response; null while the connection is idle or ended. */
    private @Nullable ResponseReader reader;
    private boolean reused;
    private boolean persistent;
    /** Indicates whether the next content belongs to an informational response, which has none. */
    private boolean afterInformational;
    /** The trailers of a response whose last byte has been read; null before. */
    private @Nullable HttpHeaders trailers;
    /** Null unless a read or write has failed. */
    private @Nullable Throwable cause;
    private boolean closing;

    Http1Connection(Http1Connections home, Http1ResponseDecoder decoder) {
        this.home = home;
        this.decoder = decoder;
        counted = new CountedRequest(home.endpoint());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        place.vacate();
    }

    @Override
    public Endpoint endpoint() {
        return home.endpoint();
    }

    @Override
    public boolean isReused() {
        return reused;
    }

    @Override
    public void send(UpstreamRequest request, ResponseReader to) {
        reader = to;
        persistent = true;
        decoder.expect(request.method());
        counted.begin(request);
        home.sends(request, this);
        sent.begin(request, reused, ctx);
    }

    @Override
    public void write(ByteBuf piece) {
        if (reader == null || !piece.isReadable()) {
            piece.release();
        } else {
            sent.write(piece, ctx);
        }
    }

    @Override
    public void end(HttpHeaders last) {
        if (reader != null) {
            sent.end(last, ctx);
        }
    }

    @Override
    public void flush() {
        ctx.flush();
    }

    @Override
    public boolean isWritable() {
        return ctx.channel().isWritable();
    }

    @Override
    public void pause() {
        read(false);
    }

    @Override
    public void resume() {
        read(true);
    }

    private void read(boolean now) {
        if (reader != null) {
            ctx.channel().config().setAutoRead(now);
        }
    }

    @Override
    public void cancel() {
        if (reader != null) {
            counted.cancelled();
            detachReader();
        } else if (!isOpen() || place.isIdle()) {
            return; // otherwise no request has been sent, as its head could not be made
        }
        closing = true;
        Http1Connections.discard(ctx.channel());
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ResponseReader to = reader;
        if (message == Http1ResponseDecoder.UNEXPECTED) {
            unexpected();
        } else if (to == null) {
            ReferenceCountUtil.release(message); // the rest of a response that was given up
        } else if (message instanceof HttpResponse head) {
            head(head, to);
        } else {
            content((HttpContent) message, to);
        }
    }

    private void unexpected() {
        if (closing) {
            return;
        }
        persistent = false;
        endpoint().unexpectedBytes();
        if (reader == null) {
            close();
        }
    }

    private void head(HttpResponse head, ResponseReader to) {
        Throwable flaw = head.decoderResult().cause();
        if (flaw instanceof PrematureChannelClosureException) {
            return; // the end of the connection is reported next
        }
        HttpResponseStatus status = head.status();
        afterInformational = status.codeClass() == HttpStatusClass.INFORMATIONAL;
        if (flaw != null) {
            failed(Stage.MALFORMED, flaw, to);
        } else if (status.code() == HttpResponseStatus.SWITCHING_PROTOCOLS.code()) {
            switchProtocol(head, to);
        } else if (afterInformational) {
            to.informational(head);
        } else {
            counted.responded(head);
            persistent = decoder.isPersistent(head);
            to.head(head);
        }
    }

    private void switchProtocol(HttpResponse head, ResponseReader to) {
        if (sent.maySwitch(head.headers())) {
            counted.responded(head);
            detachReader();
            to.switched(head, Http1SwitchedConnection.replace(this, ctx, decoder));
        } else {
            failed(Stage.MALFORMED, new IllegalStateException(
                    "101 to " + head.headers().getAll(HttpHeaderNames.UPGRADE) + ", not as offered"), to);
        }
    }

    private void content(HttpContent content, ResponseReader to) {
        boolean last = content instanceof LastHttpContent;
        Throwable flaw = content.decoderResult().cause();
        if (flaw != null || last && decoder.isInputClosed() && cause != null) {
            content.release();
            // A body that ends with the connection may be incomplete if that was reset.
            failed(flaw == null ? Stage.TRUNCATED : Stage.MALFORMED, flaw == null ? cause : flaw, to);
        } else if (afterInformational) {
            content.release();
        } else {
            trailers = last ? ((LastHttpContent) content).trailingHeaders() : null;
            if (content.content().isReadable()) {
                to.content(content.content());
            } else {
                content.release();
            }
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        ResponseReader to = reader;
        HttpHeaders last = trailers;
        if (to != null && last != null) {
            end(last, to);
        } else if (to != null) {
            to.readComplete();
        }
    }

    private void end(HttpHeaders last, ResponseReader to) {
        detachReader();
        if (sent.isSent(ctx) && persistent && cause == null) {
            reused = true;
            ctx.channel().config().setAutoRead(true);
            home.keep(this);
        } else {
            close();
        }
        to.end(last);
    }

    private void detachReader() {
        reader = null;
        trailers = null;
        counted.end();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (reader != null && isWritable()) {
            ctx.executor().execute(() -> {
                ResponseReader to = reader;
                if (to != null) {
                    to.writable();
                }
            });
        }
    }

    private void failed(Stage stage, @Nullable Throwable why, ResponseReader to) {
        counted.failed(stage, reused, true, why);
        detachReader();
        close();
        to.failed(new UpstreamException(endpoint(), stage, why));
    }

    /** A failed write does not end the connection (AUTO_CLOSE is off): a response may have arrived before. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable why) {
        cause = why;
        if (!(why instanceof IOException)) {
            close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        place.leaveList();
        ResponseReader to = reader;
        if (to != null && !decoder.isSilent()) {
            failed(Stage.TRUNCATED, cause, to);
        } else if (to != null) {
            if (reused) {
                home.stale();
            }
            failed(sent.isUnwritten() ? Stage.REQUEST : Stage.RESPONSE, cause, to);
        }
    }

    Channel channel() {
        return ctx.channel();
    }

    boolean isOpen() {
        return !closing && ctx.channel().isActive();
    }

    void close() {
        closing = true;
        ctx.close();
    }

    Place<Http1Connection> place() {
        return place;
    }
}
