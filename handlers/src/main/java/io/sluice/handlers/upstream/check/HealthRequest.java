package io.sluice.handlers.upstream.check;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Stream;
import io.sluice.config.type.EndpointUrl;
import io.sluice.handlers.upstream.http2.ClientCodec;
import io.sluice.handlers.upstream.http2.ClientConnection;
import io.sluice.handlers.upstream.http2.ConnectionEvents;
import io.sluice.handlers.upstream.http2.RequestFields;
import io.sluice.handlers.upstream.http2.ResponseFields;
import io.sluice.handlers.upstream.http2.StreamEvents;
import io.sluice.handlers.upstream.http2.StreamReset;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The GET of a check on an open connection, which the result has to close.
 *
 * @param result receives the result; a further call means nothing
 */
record HealthRequest(EndpointUrl url, String path, Result result) {
    private static final String USER_AGENT = "sluice-health-check";
    /** The limit of a status line, and of all fields, in bytes: that of proxied responses. */
    private static final int MAX_HEAD = 64 * 1024;
    private static final String GRPC_STATUS = "grpc-status";

    /** Receives the result of a check. */
    @FunctionalInterface
    interface Result {
        void is(boolean passed);
    }

    private static boolean passes(HttpResponseStatus status) {
        return status.code() < 400;
    }

    void sendByHttp1(Channel channel) {
        HttpDecoderConfig limits =
                new HttpDecoderConfig().setMaxInitialLineLength(MAX_HEAD).setMaxHeaderSize(MAX_HEAD);
        channel.pipeline().addLast(new HttpClientCodec(limits,
                HttpClientCodec.DEFAULT_PARSE_HTTP_AFTER_CONNECT_REQUEST,
                HttpClientCodec.DEFAULT_FAIL_ON_MISSING_RESPONSE), new Http1Answer());
        var request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, path);
        request.headers().set(HttpHeaderNames.HOST, url.authority())
                .set(HttpHeaderNames.USER_AGENT, USER_AGENT)
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        channel.writeAndFlush(request);
    }

    /** Takes the status of a response. */
    private final class Http1Answer extends SimpleChannelInboundHandler<HttpObject> {
        @Override
        protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
            if (message instanceof HttpResponse head && head.status().code() >= 200) {
                result.is(head.decoderResult().isSuccess() && passes(head.status()));
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            result.is(false);
        }
    }

    /** Sends the request when the endpoint has accepted the connection, by its SETTINGS. */
    void sendByHttp2(Channel channel, Duration timeout) {
        ClientConnection connection = ClientCodec.of(new Http2Answer(), timeout);
        connection.gracefulShutdownTimeoutMillis(0); // nothing is awaited after the result
        channel.pipeline().addLast(connection);
    }

    /** Takes the status of a response on the connection's only stream. */
    private final class Http2Answer implements ConnectionEvents, StreamEvents {
        @SuppressWarnings("NullAway.Init") // set when the connection is accepted, before events of the stream
        private ClientConnection connection;
        @SuppressWarnings("NullAway.Init")
        private Http2Stream stream;

        @Override
        public void accepted(ClientConnection accepted) {
            connection = accepted;
            if (!connection.hasRoom()) {
                result.is(false);
                return;
            }
            Http2Headers head = RequestFields.head(HttpMethod.GET, url.secure(), url.authority(), path);
            head.add(HttpHeaderNames.USER_AGENT, USER_AGENT);
            stream = connection.send(head, true, this);
            connection.flushLater();
        }

        @Override
        public void headers(ResponseFields fields, boolean end) {
            HttpResponseStatus status = fields.code();
            if (status == null || fields.flaw(false, end) != null) {
                result.is(false);
            } else if (!fields.isInformational()) {
                if (!end) {
                    connection.reset(stream, Http2Error.CANCEL); // the body is not read
                }
                // A server of gRPC serves no GET: it answers with an error, which shows that it works.
                result.is(passes(status) || fields.fields().contains(GRPC_STATUS));
            }
        }

        @Override
        public int data(ByteBuf data, int padding, boolean end) {
            return 0;
        }

        @Override
        public void malformed(Throwable cause) {
            result.is(false);
        }

        @Override
        public void closed(boolean refused, @Nullable Throwable cause) {
            result.is(false);
        }

        @Override
        public void closed(ClientConnection connection) {
            result.is(false);
        }

        @Override
        public void reset(StreamReset cause) {
            // the end of the stream follows
        }

        @Override
        public void changed(ClientConnection connection) {
            // has room for the only stream already
        }

        @Override
        public void readComplete() {
            // the status needs nothing after it
        }

        @Override
        public void writabilityChanged() {
            // the request has no body
        }
    }
}
