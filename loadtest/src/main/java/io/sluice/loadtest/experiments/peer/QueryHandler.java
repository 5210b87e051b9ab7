package io.sluice.loadtest.experiments.peer;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.sql.SQLException;

/** Handles the blocking query, on the executor that it was added with. */
public final class QueryHandler extends SimpleChannelInboundHandler<HttpObject> {

    private final Queries queries;

    /** A handler for one connection. */
    public QueryHandler(Queries queries) {
        this.queries = queries;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject message) throws SQLException {
        if (message instanceof HttpRequest request) {
            NettyAnswers.write(context, HttpResponseStatus.OK,
                    queries.answer(new QueryStringDecoder(request.uri())));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
