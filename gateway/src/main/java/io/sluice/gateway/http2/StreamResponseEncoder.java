package io.sluice.gateway.http2;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValidationUtil;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.DefaultHttp2ResetFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream.State;
import io.netty.handler.codec.http2.Http2StreamChannel;
import io.netty.handler.codec.http2.Http2StreamFrame;
import io.netty.util.AsciiString;
import io.sluice.handlers.message.FlatHeaders;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Encodes a response to the frames of a stream. A head is held until the next message or flush: if no body
 * follows, the HEADERS frame ends the stream.
 */
final class StreamResponseEncoder extends ChannelOutboundHandlerAdapter {
    private static final int MOMENT_MILLIS = 100;

    /** The held head of a response; else null. */
    private @Nullable Http2Headers head;

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        switch (message) {
            case FullHttpResponse whole -> writeWhole(ctx, whole, promise);
            case HttpResponse response -> {
                head = headers(response);
                promise.trySuccess();
            }
            case LastHttpContent last -> writeLast(ctx, end(ctx, last), promise);
            case Http2DataFrame data -> {
                writeHead(ctx);
                ctx.write(data, promise);
            }
            default -> ctx.write(message, promise);
        }
    }

    /** Sends a held head as well. */
    @Override
    public void flush(ChannelHandlerContext ctx) {
        writeHead(ctx);
        ctx.flush();
    }

    /** Writes a held head before the frames of a tunnel. */
    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        writeHead(ctx);
    }

    private void writeWhole(ChannelHandlerContext ctx, FullHttpResponse whole, ChannelPromise promise) {
        Http2Headers headers = headers(whole);
        if (whole.content().isReadable()) {
            ctx.write(new DefaultHttp2HeadersFrame(headers));
            writeLast(ctx, new CountedData(whole.content(), true), promise);
            return;
        }
        whole.release();
        if (whole.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
            ctx.write(new DefaultHttp2HeadersFrame(headers), promise);
        } else {
            writeLast(ctx, new DefaultHttp2HeadersFrame(headers, true), promise);
        }
    }

    /**
     * Writes the last frame of a response. If the client has not sent all of its request, it need not (RFC
     * 9113 section 8.1): the stream is reset with NO_ERROR, but 100 ms later, so that errors in frames on
     * their way are still reported.
     */
    private static void writeLast(ChannelHandlerContext ctx, Http2StreamFrame frame, ChannelPromise promise) {
        if (state(ctx) != State.OPEN) {
            ctx.write(frame, promise);
            return;
        }
        ctx.write(frame, promise.unvoid()).addListener(_ -> ctx.executor().schedule(() -> {
            if (state(ctx) == State.HALF_CLOSED_LOCAL) {
                ctx.writeAndFlush(new DefaultHttp2ResetFrame(Http2Error.NO_ERROR));
            }
        }, MOMENT_MILLIS, TimeUnit.MILLISECONDS));
    }

    private Http2StreamFrame end(ChannelHandlerContext ctx, LastHttpContent last) {
        if (!last.trailingHeaders().isEmpty()) {
            last.release();
            writeHead(ctx);
            Http2Headers trailers = new DefaultHttp2Headers(false, 4);
            addAll(trailers, last.trailingHeaders(), false);
            return new DefaultHttp2HeadersFrame(trailers, true);
        }
        Http2Headers held = head;
        if (held == null) {
            return new CountedData(last.content(), true);
        }
        head = null;
        last.release();
        return new DefaultHttp2HeadersFrame(held, true);
    }

    private static State state(ChannelHandlerContext ctx) {
        return ((Http2StreamChannel) ctx.channel()).stream().state();
    }

    private void writeHead(ChannelHandlerContext ctx) {
        Http2Headers held = head;
        if (held != null) {
            head = null;
            ctx.write(new DefaultHttp2HeadersFrame(held));
        }
    }

    private static Http2Headers headers(HttpResponse response) {
        HttpResponseStatus status = response.status();
        Http2Headers headers = new DefaultHttp2Headers(false, 8).status(status.codeAsText());
        boolean bodyless = status.codeClass() == HttpStatusClass.INFORMATIONAL
                || status.code() == HttpResponseStatus.NO_CONTENT.code();
        addAll(headers, response.headers(), bodyless);
        return headers;
    }

    private static void addAll(Http2Headers headers, HttpHeaders fields, boolean bodyless) {
        if (fields instanceof FlatHeaders flat) {
            for (int i = 0; i < flat.size(); i++) {
                add(headers, flat.name(i), flat.value(i), bodyless);
            }
        } else {
            fields.iteratorCharSequence().forEachRemaining(
                    field -> add(headers, field.getKey(), field.getValue(), bodyless));
        }
    }

    private static void add(Http2Headers headers, CharSequence field, CharSequence value, boolean bodyless) {
        AsciiString name = AsciiString.of(field).toLowerCase();
        if (!HttpHeaderValidationUtil.isConnectionHeader(name, false)
                && !(bodyless && HttpHeaderNames.CONTENT_LENGTH.equals(name))) {
            headers.add(name, value);
        }
    }
}
