package io.sluice.loadtest.experiments.peer;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.sql.SQLException;

/** Answers the query that blocks, on whatever thread it was added with. */
public final class QueryHandler extends SimpleChannelInboundHandler<HttpRequest> {

    private final SleepyDatabase database;

    /** For one connection. */
    public QueryHandler(SleepyDatabase database) {
        this.database = database;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, HttpRequest request) throws SQLException {
        var uri = new QueryStringDecoder(request.uri());
        if (uri.path().equals("/benchmark/jdbc")) {
            NettyAnswers.write(context, HttpResponseStatus.OK,
                    database.sleep(NettyAnswers.number(uri, "ms")));
        } else {
            NettyAnswers.write(context, HttpResponseStatus.NOT_FOUND, Answer.json("{}"));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}
