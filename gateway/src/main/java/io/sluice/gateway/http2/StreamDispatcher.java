package io.sluice.gateway.http2;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;
import io.netty.util.ReferenceCountUtil;
import io.sluice.config.ServerConfig;
import io.sluice.gateway.exchange.Carrier;
import io.sluice.gateway.exchange.ExchangeFactory;
import io.sluice.gateway.exchange.HttpExchange;
import io.sluice.gateway.exchange.RequestHead;
import io.sluice.gateway.exchange.RequestId;
import io.sluice.gateway.exchange.ResponseHeaders;
import io.sluice.gateway.exchange.ServedRequest;
import io.sluice.gateway.http2.frames.FrameCodec;
import io.sluice.gateway.http2.frames.ReceivedHeaders;
import io.sluice.gateway.limits.RequestMemory;
import io.sluice.gateway.limits.RequestMemoryPart;
import io.sluice.gateway.net.Connections;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Tunnel;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dispatches a stream's request to its route. Holds content of the body that arrives before it is demanded.
 * An extended CONNECT (RFC 8441) is a request without a body: the input after it is for its tunnel.
 *
 * <p>A malformed request (RFC 9113 section 8.1.1) is counted as 400 without a response: its stream is reset.
 */
final class StreamDispatcher extends ChannelInboundHandlerAdapter implements Carrier {
    private static final Logger log = LoggerFactory.getLogger(StreamDispatcher.class);

    private final ExchangeFactory exchanges;
    private final Connections connections;
    private final FrameCodec codec;
    private final ServerConfig config;
    private final RequestMemoryPart memory;
    private ChannelHandlerContext ctx;
    private @Nullable HttpExchange exchange;
    private StreamInput input;
    /** Indicates whether the client has sent its last frame. */
    private boolean ended;
    /** The end of the body, with its trailers if it has any. */
    private LastHttpContent end = LastHttpContent.EMPTY_LAST_CONTENT;
    /** Indicates whether the request is an extended CONNECT. */
    private boolean connect;
    private boolean delivering;

    StreamDispatcher(ExchangeFactory exchanges, Connections connections, FrameCodec codec,
                     ServerConfig config, RequestMemoryPart memory) {
        this.exchanges = exchanges;
        this.connections = connections;
        this.codec = codec;
        this.config = config;
        this.memory = memory;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        ctx = context;
        input = new StreamInput(ctx.channel());
    }

    @Override
    public ChannelHandlerContext context() {
        return ctx;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object frame) {
        switch (frame) {
            case Http2HeadersFrame head when exchange == null -> {
                ended = head.isEndStream();
                begin((ReceivedHeaders) head.headers());
                deliverBody();
            }
            case Http2HeadersFrame trailers -> {
                ended = true;
                end((ReceivedHeaders) trailers.headers());
            }
            case Http2DataFrame data -> {
                ended = data.isEndStream();
                content(data);
                deliverBody();
            }
            default -> ReferenceCountUtil.release(frame);
        }
    }

    private void begin(ReceivedHeaders fields) {
        connect = fields.protocol() != null;
        HttpException refusal = fields.tooLarge() ? new HttpException(
                HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the header fields are too large")
                : memory.tryTake(fields.heap()) ? null : RequestMemory.refusal();
        if (refusal != null) {
            refuse(StreamHead.untrusted(fields), RequestId.of(null), refusal);
            return;
        }
        HttpRequest request;
        try {
            request = StreamHead.request(fields);
        } catch (HttpException e) {
            refuseMalformed(e.getMessage());
            return;
        }
        String requestId = RequestId.of(request.headers().get(ResponseHeaders.X_REQUEST_ID));
        try {
            StreamHead.requireServed(fields, config.maxRequestLine().bytes());
            exchanges.requireDirected(ctx, StreamHead.isForHttps(fields));
            var client = exchanges.clientOf(ctx, exchanges.clientOfAll(ctx), request);
            memory.countFor(client.address().getAddress());
            exchange = exchanges.of(this, client, request, requestId, RequestHead.pathOnStream(request),
                    !ended && !connect);
            exchange.start();
        } catch (HttpException e) {
            refuse(request, requestId, e);
        }
    }

    private void refuse(HttpRequest request, String requestId, HttpException reason) {
        exchange = exchanges.untrusted(this, request, requestId);
        exchange.refuse(reason);
    }

    private void refuseMalformed(@Nullable String reason) {
        log.debug("a malformed request: {}", reason);
        fail(HttpResponseStatus.BAD_REQUEST.code());
        ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.PROTOCOL_ERROR));
    }

    /** Ends the exchange without a response or in the middle of it. */
    private void fail(int status) {
        if (exchange == null) {
            exchange = exchanges.untrusted(this, StreamHead.unknown(), RequestId.of(null));
        }
        exchange.endUnanswered(status);
    }

    private void end(ReceivedHeaders trailers) {
        if (connect || trailers.flaw() != null || trailers.anyPseudo()) {
            refuseMalformed("invalid trailers");
        } else if (memory.tryTake(trailers.heap())) {
            end = StreamHead.end(trailers);
            deliverBody();
        } else if (exchange != null && !exchange.isOver()) {
            exchange.refuseBody(RequestMemory.refusal());
        }
    }

    private void content(Http2DataFrame frame) {
        ByteBuf content = frame.content();
        int length = content.readableBytes();
        input.giveBack(frame.initialFlowControlledBytes() - length);
        if (exchange == null || exchange.isOver() || length == 0) {
            content.release();
            input.giveBack(length);
        } else if (input.isEmpty() && !connect && exchange.body().wantsMore()) {
            input.pass(exchange, content);
        } else if (!input.keep(content)) {
            exchange.refuseBody(HttpException.tryAgain("the gateway is short of memory for the body", null));
        }
    }

    @Override
    public void deliverBody() {
        if (delivering || exchange == null || exchange.isOver()) {
            return;
        }
        delivering = true;
        if (!connect && exchange.body().wantsMore() && input.waits()) {
            input.giveBackOwed();
            input.pass(exchange, input.take());
            ctx.flush();
        }
        boolean whole = connect || ended && input.isEmpty();
        if (whole && !exchange.isOver() && !exchange.body().complete() && exchange.body().wants(end)) {
            exchange.content(end);
        }
        delivering = false;
    }

    @Override
    public boolean prepare(HttpExchange of, HttpResponse answer, long length) {
        exchanges.answerHeaders().completeOnStream(of, answer, length);
        return true;
    }

    @Override
    public boolean opensTunnel(HttpResponseStatus status) {
        return connect && status.codeClass() == HttpStatusClass.SUCCESS;
    }

    @Override
    public HttpResponse upgrade(HttpExchange of, String protocol, HttpHeaders headers) {
        if (connections.draining()) {
            throw HttpException.tryAgain("the gateway is about to stop", null);
        }
        return StreamSwitch.answer(of, exchanges.answerHeaders(), headers);
    }

    @Override
    public void handOver(HttpExchange of, Tunnel tunnel) {
        var next = new StreamTunnel(tunnel, of.tunnels(), connections.tunnels(), ctx.executor(), input, ended,
                config.timeouts());
        next.register(of.credential());
        input = new StreamInput(ctx.channel()); // the end of the exchange must not release the other one
        of.end(true);
        memory.close();
        StreamSwitch.run(ctx, codec, next);
    }

    @Override
    public Object piece(ByteBuf content) {
        return new CountedData(content);
    }

    @Override
    public void reset() {
        ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.INTERNAL_ERROR));
    }

    @Override
    public void ended(HttpExchange of, boolean keepAlive) {
        input.release();
        exchanges.ended(of);
    }

    /** Returns the stream's exchange; null until its head has arrived. */
    @Nullable HttpExchange exchange() {
        return exchange;
    }

    /** Resets a stream whose client does not read its response. */
    void cutOff() {
        log.debug("{} leaves the flow-control window of its response closed", ctx.channel());
        fail(ServedRequest.CLIENT_GONE);
        ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.CANCEL));
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            wakeWriter();
        }
    }

    /** Makes the response's writer check again whether it can write. */
    void wakeWriter() {
        ctx.executor().execute(() -> { // later: this may be called within a write
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
        input.release();
        memory.close();
    }

    /** Handles errors of the stream; the codec resets the stream itself for those it has detected. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof Http2Exception || cause instanceof IOException)) {
            log.warn("a stream failed", cause);
            reset();
        } else {
            log.debug("a stream broke: {}", cause.toString());
            if (cause instanceof Http2Exception) {
                fail(HttpResponseStatus.BAD_REQUEST.code());
            }
        }
    }
}
