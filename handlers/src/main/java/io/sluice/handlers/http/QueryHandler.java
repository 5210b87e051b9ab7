package io.sluice.handlers.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.sluice.config.HandlerConfig;
import io.sluice.config.PathTemplate;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.RouteHandler;
import io.sluice.offload.Database;
import io.sluice.offload.spill.SpillSpace;
import java.util.Map;

/**
 * Runs one SQL statement on the workers of its database. Rows are streamed as JSON while they are read;
 * the end of the answer is sent when the transaction has been committed. When the client goes away or the
 * deadline passes, the statement is cancelled and its transaction rolled back. A SELECT of few rows has none
 * beyond itself: that saves a round trip.
 *
 * <p>400 where a parameter is missing or wrong, 415 and 413 where the body is; 404 where a single row is
 * not there; 409 where a constraint is broken, 422 where a value does not fit, 500 where the SQL is wrong, or
 * a row is larger than the database's {@code fetch-buffer}. An error after the first 32 KiB of rows cuts the
 * answer off.
 */
public final class QueryHandler implements RouteHandler {
    private final QueryParameters parameters;
    private final Query query;

    /**
     * A handler for a route of kind {@code query} at a path.
     *
     * @param spillSpace keeps the rest of answers whose clients read too slowly
     */
    public QueryHandler(HandlerConfig.Query config, PathTemplate path, Database database,
                        SpillSpace spillSpace) {
        parameters = new QueryParameters(config, path);
        query = new Query(config, parameters, database, spillSpace);
    }

    @Override
    public void handle(Exchange exchange) {
        if (parameters.needBody()) {
            JsonMembers.requireJson(exchange.headers().get(HttpHeaderNames.CONTENT_TYPE));
            exchange.readBody(body -> run(exchange, parameters.read(exchange, JsonMembers.of(body))));
        } else {
            run(exchange, parameters.read(exchange, Map.of()));
        }
    }

    private void run(Exchange exchange, Object[] values) {
        new QueryRun(query, exchange, values).submit();
    }
}
