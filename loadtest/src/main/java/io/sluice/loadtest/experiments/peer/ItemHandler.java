package io.sluice.loadtest.experiments.peer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufOutputStream;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Handles the paths of items and orders by blocking statements, on the executor that it was added with:
 * {@code /rows/{id}}, {@code /rows?after=}, {@code /export?after=}, and POST to {@code /orders}.
 */
public final class ItemHandler extends SimpleChannelInboundHandler<HttpObject> {

    private static final int FIRST_BUFFER = 8_192;
    private static final int LARGEST_ORDER = 16_384;

    private final ItemDatabase database;
    /** The body of a POST whose end has not arrived. */
    private @Nullable ByteBuf order;

    /** A handler for one connection. */
    public ItemHandler(ItemDatabase database) {
        this.database = database;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject message)
            throws SQLException, IOException {
        if (message instanceof HttpRequest request) {
            if (request.method().equals(HttpMethod.POST)) {
                order = context.alloc().buffer();
            } else {
                get(context, new QueryStringDecoder(request.uri()));
            }
        }
        if (order != null && message instanceof HttpContent content) {
            body(context, order, content);
        }
    }

    private void get(ChannelHandlerContext context, QueryStringDecoder uri) throws SQLException, IOException {
        switch (uri.path()) {
            case "/rows" -> hundred(context, NettyAnswers.number(uri, "after"));
            case "/export" -> tenThousand(context, NettyAnswers.number(uri, "after"));
            default -> NettyAnswers.write(context, HttpResponseStatus.OK,
                    database.item(Long.parseLong(uri.path().substring("/rows/".length()))));
        }
    }

    private void hundred(ChannelHandlerContext context, long after) throws SQLException, IOException {
        ByteBuf body = context.alloc().buffer(FIRST_BUFFER);
        try (var out = new ByteBufOutputStream(body)) {
            database.hundred(after, out);
        } catch (SQLException | RuntimeException e) {
            body.release();
            throw e;
        }
        NettyAnswers.write(context, HttpResponseStatus.OK, Answer.JSON, body);
    }

    private void tenThousand(ChannelHandlerContext context, long after) throws SQLException, IOException {
        var head = new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK);
        head.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, Answer.JSON)
                .set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        context.write(head, context.voidPromise());
        try (var out = new ChunkedBody(context.channel())) {
            database.tenThousand(after, out);
        }
        context.writeAndFlush(LastHttpContent.EMPTY_LAST_CONTENT, context.voidPromise());
    }

    private void body(ChannelHandlerContext context, ByteBuf body, HttpContent content)
            throws SQLException, IOException {
        if (body.readableBytes() + content.content().readableBytes() > LARGEST_ORDER) {
            throw new IOException("an order of more than %,d bytes".formatted(LARGEST_ORDER));
        }
        body.writeBytes(content.content());
        if (content instanceof LastHttpContent) {
            try (var in = new ByteBufInputStream(body)) {
                NettyAnswers.write(context, HttpResponseStatus.OK, database.insert(ItemJson.order(in)));
            }
            dropOrder();
        }
    }

    private void dropOrder() {
        if (order != null) {
            order.release();
            order = null;
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        dropOrder();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
