package io.sluice.handlers.http;

import io.netty.util.concurrent.Future;
import io.sluice.config.HandlerConfig;
import io.sluice.config.type.PathTemplate;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.RouteHandler;
import io.sluice.offload.Work;
import io.sluice.offload.jdbc.Database;
import io.sluice.offload.spill.SpillSpace;

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
    private final JsonMembers members;
    private final boolean needsBody;
    private final Query query;

    /**
     * A handler for a route of kind {@code query} at a path.
     *
     * @param spillSpace keeps the rest of answers whose clients read too slowly
     */
    public QueryHandler(HandlerConfig.Query config, PathTemplate path, Database database,
                        SpillSpace spillSpace) {
        parameters = new QueryParameters(config, path);
        members = new JsonMembers(parameters.inBody());
        needsBody = !parameters.inBody().isEmpty();
        query = new Query(config, parameters, database, spillSpace);
    }

    @Override
    public void handle(Exchange exchange) {
        if (!needsBody) {
            Object[] values = parameters.readHead(exchange);
            run(exchange, _ -> values);
            return;
        }
        JsonMembers.requireJson(exchange.headers());
        exchange.readBody(body -> {
            Object[] values = parameters.readHead(exchange);
            if (body.readableBytes() <= JsonMembers.MOST_ON_LOOP) {
                parameters.addBody(values, members.of(body));
                run(exchange, _ -> values);
            } else {
                var large = new OffloadedBody(body);
                run(exchange, _ -> parameters.addBody(values, large.read(members::of)))
                        .addListener(_ -> large.drop());
            }
        });
    }

    /** Runs the query; its values are read on the worker. */
    private Future<?> run(Exchange exchange, Work<Object[]> values) {
        return new QueryRun(query, exchange, values).submit();
    }
}
