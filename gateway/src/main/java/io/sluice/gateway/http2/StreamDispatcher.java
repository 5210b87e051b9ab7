package io.sluice.gateway.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.util.ReferenceCountUtil;
import io.sluice.config.ServerConfig;
import io.sluice.gateway.exchange.AnswerHeaders;
import io.sluice.gateway.exchange.Carrier;
import io.sluice.gateway.exchange.ExchangeFactory;
import io.sluice.gateway.exchange.HttpExchange;
import io.sluice.gateway.exchange.RequestHead;
import io.sluice.gateway.exchange.RequestId;
import io.sluice.gateway.exchange.ServedRequest;
import io.sluice.gateway.http2.frames.ReceivedHeaders;
import io.sluice.handlers.HttpException;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the request of a stream to its route. What comes of its body before somebody wants it is kept here,
 * and taken from the stream's window until then, which bounds it.
 *
 * <p>A malformed request (RFC 9113 section 8.1.1) is counted as 400, but not answered: its stream is reset.
 */
final class StreamDispatcher extends ChannelInboundHandlerAdapter implements Carrier {
    private static final Logger log = LoggerFactory.getLogger(StreamDispatcher.class);

    private final ExchangeFactory exchanges;
    private final AnswerHeaders answerHeaders;
    private final ServerConfig config;

    private ChannelHandlerContext ctx;
    /** Null until the head has come. */
    private HttpExchange exchange;
    /** What nobody wants yet, copied together: a frame of one byte may hold the memory of thousands. */
    private ByteBuf kept;
    private boolean complete;
    private boolean proceeding;

    StreamDispatcher(ExchangeFactory exchanges, AnswerHeaders answerHeaders, ServerConfig config) {
        this.exchanges = exchanges;
        this.answerHeaders = answerHeaders;
        this.config = config;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
    }

    @Override
    public ChannelHandlerContext context() {
        return ctx;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
        switch (frame) {
            case Http2HeadersFrame head when exchange == null -> {
                complete = head.isEndStream();
                begin((ReceivedHeaders) head.headers());
                proceed();
            }
            case Http2HeadersFrame trailers -> {
                complete = true;
                end((ReceivedHeaders) trailers.headers());
            }
            case Http2DataFrame data -> {
                complete = data.isEndStream();
                content(data);
                proceed();
            }
            default -> ReferenceCountUtil.release(frame);
        }
    }

    private void begin(ReceivedHeaders fields) {
        if (fields.tooLarge()) {
            refuse(StreamHead.untrusted(fields), RequestId.of(null), new HttpException(
                    HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the header fields are too large"));
            return;
        }
        HttpRequest request;
        try {
            request = StreamHead.request(fields);
        } catch (HttpException e) {
            refuseMalformed(e.getMessage());
            return;
        }
        String requestId = RequestId.of(request.headers().get(AnswerHeaders.X_REQUEST_ID));
        try {
            StreamHead.requireServed(fields, config.maxRequestLine().bytes());
            exchanges.requireDirected(ctx, StreamHead.isForHttps(fields));
            start(request, requestId, RequestHead.pathOnStream(request));
        } catch (HttpException e) {
            refuse(request, requestId, e);
        }
    }

    private void start(HttpRequest request, String requestId, String path) {
        exchange = exchanges.of(this, exchanges.clientOfAll(ctx), request, requestId, path, !complete);
        exchange.start();
    }

    private void refuse(HttpRequest request, String requestId, HttpException reason) {
        exchange = exchanges.untrusted(this, request, requestId);
        exchange.refuse(reason);
    }

    private void refuseMalformed(String reason) {
        log.debug("a malformed request: {}", reason);
        fail(HttpResponseStatus.BAD_REQUEST.code());
        ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.PROTOCOL_ERROR));
    }

    /** Ends what has begun here, without an answer or in the middle of it. */
    private void fail(int status) {
        if (exchange == null) {
            exchange = exchanges.untrusted(this, StreamHead.unknown(), RequestId.of(null));
        }
        exchange.endUnanswered(status);
    }

    /** RFC 9110 section 6.5.1: what trailers say may be ignored. */
    private void end(ReceivedHeaders trailers) {
        if (trailers.flaw() != null || trailers.anyPseudo()) {
            refuseMalformed("trailers that must not be there");
        } else {
            proceed();
        }
    }

    private void content(Http2DataFrame frame) {
        ByteBuf content = frame.content();
        int length = content.readableBytes();
        giveBack(frame.initialFlowControlledBytes() - length);
        if (exchange.isOver() || length == 0) {
            content.release();
            giveBack(length);
        } else if (kept == null && exchange.body().wantsMore()) {
            pass(content);
        } else {
            keep(content);
        }
    }

    private void keep(ByteBuf content) {
        try {
            if (kept == null) {
                kept = ctx.alloc().buffer(content.readableBytes());
            }
            kept.writeBytes(content);
        } finally {
            content.release();
        }
    }

    private void pass(ByteBuf content) {
        int length = content.readableBytes();
        exchange.content(new DefaultHttpContent(content));
        giveBack(length);
    }

    /** Lets the client send so many bytes more. */
    private void giveBack(int length) {
        if (length > 0) {
            ctx.write(new DefaultHttp2WindowUpdateFrame(length));
        }
    }

    @Override
    public void proceed() {
        if (proceeding || exchange == null || exchange.isOver()) {
            return;
        }
        proceeding = true;
        if (kept != null && exchange.body().wantsMore()) {
            ByteBuf content = kept;
            kept = null;
            pass(content);
            ctx.flush();
        }
        if (complete && kept == null && !exchange.isOver() && !exchange.body().complete()
                && exchange.body().wants(LastHttpContent.EMPTY_LAST_CONTENT)) {
            exchange.content(LastHttpContent.EMPTY_LAST_CONTENT);
        }
        proceeding = false;
    }

    @Override
    public boolean prepare(HttpExchange of, HttpResponse answer, long length) {
        answerHeaders.completeOnStream(of, answer, length);
        return true;
    }

    @Override
    public Object piece(ByteBuf content) {
        return new DefaultHttp2DataFrame(content);
    }

    @Override
    public void reset() {
        ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR));
    }

    @Override
    public void ended(HttpExchange of, boolean another) {
        releaseKept();
        exchanges.ended(of);
    }

    /** The stream's request; null until its head has come. */
    HttpExchange exchange() {
        return exchange;
    }

    /** Gives up a stream whose client does not let its answer come. */
    void cutOff() {
        log.debug("{} does not let its answer come", ctx.channel());
        fail(ServedRequest.CLIENT_GONE);
        ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            wakeWriter();
        }
    }

    /** Has the answer's writer look whether it may write again. */
    void wakeWriter() {
        // Later: this may be called from within a write.
        ctx.executor().execute(() -> {
            if (exchange != null) {
                exchange.writable();
            }
        });
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof Http2ResetFrame) {
            fail(ServedRequest.CLIENT_GONE);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (exchange != null) {
            exchange.endUnanswered(ServedRequest.CLIENT_GONE);
        }
    }

    private void releaseKept() {
        if (kept != null) {
            kept.release();
            kept = null;
        }
    }

    /** What the codec finds wrong on a stream it resets itself. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof Http2Exception) {
            log.debug("a stream broke: {}", cause.toString());
            fail(HttpResponseStatus.BAD_REQUEST.code());
        } else if (cause instanceof IOException) {
            log.debug("a stream broke: {}", cause.toString());
        } else {
            log.warn("a stream failed", cause);
            reset();
        }
    }
}
