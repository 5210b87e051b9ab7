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

    private final SleepyDatabase database;

    /** A handler for one connection. */
    public QueryHandler(SleepyDatabase database) {
        this.database = database;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpObject message) throws SQLException {
        if (message instanceof HttpRequest request) {
            var uri = new QueryStringDecoder(request.uri());
            NettyAnswers.write(context, HttpResponseStatus.OK,
                    database.sleep(NettyAnswers.number(uri, "ms")));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
