package io.sluice.handlers.upstream;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import io.sluice.handlers.upstream.UpstreamException.Stage;
import java.io.IOException;

/**
 * A connection of HTTP/1.1 to an endpoint. It carries one request at a time, and waits among the idle
 * connections of its event loop in between.
 */
final class Http1Connection extends ChannelInboundHandlerAdapter implements UpstreamStream {
    private final Http1Connections home;
    private final Http1ResponseDecoder decoder;
    private final CountedRequest counted;
    private ChannelHandlerContext ctx;
    /** The reader of the current response; null while the connection is idle or ended. */
    private ResponseReader reader;
    private boolean reused;
    private boolean chunked;
    private boolean firstChunk;
    private boolean requestEnded;
    private boolean upgrades;
    private boolean persistent;
    /** Whether the response, if it has a body, lasts until the connection closes. */
    private boolean endsByClose;
    /** Whether the content that follows belongs to an informational response, which has none. */
    private boolean afterInformational;
    /** Null unless a read or write has failed. */
    private Throwable cause;
    private long idleSinceNanos;

    Http1Connection(Http1Connections home, Http1ResponseDecoder decoder) {
        this.home = home;
        this.decoder = decoder;
        counted = new CountedRequest(home.endpoint());
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
    }

    // --- the request

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
        chunked = request.length() == UpstreamRequest.UNKNOWN;
        firstChunk = true;
        requestEnded = !request.hasBody();
        upgrades = request.upgrade() != null;
        persistent = true;
        decoder.requested(request.method());
        counted.begin();
        ctx.write(Http1RequestWriter.head(request, ctx.alloc()), ctx.voidPromise());
    }

    @Override
    public void write(ByteBuf piece) {
        if (reader == null || !piece.isReadable()) {
            piece.release();
            return;
        }
        if (chunked) {
            ctx.write(Http1RequestWriter.chunkLine(piece.readableBytes(), firstChunk, ctx.alloc()),
                    ctx.voidPromise());
            firstChunk = false;
        }
        ctx.write(piece, ctx.voidPromise());
    }

    @Override
    public void end(HttpHeaders trailers) {
        if (reader == null) {
            return;
        }
        requestEnded = true;
        if (chunked) {
            ctx.write(Http1RequestWriter.lastChunk(trailers, firstChunk, ctx.alloc()), ctx.voidPromise());
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
        if (reader != null) {
            ctx.channel().config().setAutoRead(false);
        }
    }

    @Override
    public void resume() {
        if (reader != null) {
            ctx.channel().config().setAutoRead(true);
        }
    }

    @Override
    public void cancel() {
        if (reader != null) {
            counted.cancelled();
            leave();
            ctx.close();
        }
    }

    // --- the response

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (reader == null) {
            ReferenceCountUtil.release(message);
            home.unexpectedBytes();
            ctx.close();
            return;
        }
        if (message instanceof HttpResponse head) {
            head(head);
        }
        if (message instanceof HttpContent content) {
            content(content);
        }
    }

    private void head(HttpResponse head) {
        afterInformational = false;
        HttpResponseStatus status = head.status();
        if (head.decoderResult().isFailure()) {
            broken(head.decoderResult().cause());
        } else if (status.code() == HttpResponseStatus.SWITCHING_PROTOCOLS.code()) {
            switchProtocol(head);
        } else if (status.codeClass() == HttpStatusClass.INFORMATIONAL) {
            afterInformational = true;
            reader.informational(head);
        } else {
            counted.responded();
            persistent = HttpUtil.isKeepAlive(head);
            endsByClose = !HttpUtil.isContentLengthSet(head) && !HttpUtil.isTransferEncodingChunked(head);
            reader.head(head);
        }
    }

    private void switchProtocol(HttpResponse head) {
        if (requestEnded && upgrades) {
            counted.responded();
            ResponseReader of = leave();
            of.switched(head, Http1SwitchedConnection.replace(this, ctx, decoder));
        } else {
            broken(new IllegalStateException("a 101 that was not asked for"));
        }
    }

    private void content(HttpContent content) {
        if (content.decoderResult().isFailure() && reader != null) {
            broken(content.decoderResult().cause());
        }
        boolean last = content instanceof LastHttpContent;
        if (reader == null || afterInformational) {
            content.release();
            return;
        }
        if (content.content().isReadable()) {
            reader.content(content.content());
        } else {
            content.release();
        }
        if (last && reader != null) {
            end((LastHttpContent) content);
        }
    }

    private void end(LastHttpContent last) {
        if (endsByClose && cause != null) {
            broken(cause); // reset, not closed: the body may be incomplete
            return;
        }
        ResponseReader of = leave();
        if (requestEnded && persistent && cause == null && !decoder.hasLeftover()) {
            reused = true;
            ctx.channel().config().setAutoRead(true);
            home.keep(this);
        } else {
            if (decoder.hasLeftover()) {
                home.unexpectedBytes();
            }
            ctx.close();
        }
        of.end(last.trailingHeaders());
    }

    private ResponseReader leave() {
        ResponseReader of = reader;
        reader = null;
        counted.end();
        return of;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (reader != null) {
            reader.readComplete();
        } else if (decoder.hasLeftover()) {
            home.unexpectedBytes();
            ctx.close();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (reader != null && isWritable()) {
            ctx.executor().execute(() -> {
                if (reader != null) {
                    reader.writable();
                }
            });
        }
    }

    private void broken(Throwable why) {
        counted.malformed(why);
        ResponseReader of = leave();
        ctx.close();
        of.failed(new UpstreamException(Stage.MALFORMED, "a malformed response from " + endpoint(), why));
    }

    /**
     * Remembers why the connection breaks. A failed write does not end it (AUTO_CLOSE is off): a response may
     * have arrived before.
     */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable why) {
        cause = why;
        if (!(why instanceof IOException)) {
            ctx.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        home.closed(this);
        if (reader != null) {
            counted.closed(reused, cause);
            leave().failed(new UpstreamException(Stage.RESPONSE,
                    "the connection to %s closed before the end of the response"
                    .formatted(endpoint()), cause));
        }
    }

    // --- among the idle connections

    Channel channel() {
        return ctx.channel();
    }

    long idleSinceNanos() {
        return idleSinceNanos;
    }

    void idleSince(long nanos) {
        idleSinceNanos = nanos;
    }
}
