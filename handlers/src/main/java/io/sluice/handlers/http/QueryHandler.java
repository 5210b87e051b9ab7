package io.sluice.handlers.http;

import io.netty.util.concurrent.Future;
import io.sluice.config.HandlerConfig;
import io.sluice.config.type.PathTemplate;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.selection.Selection;
import io.sluice.offload.Work;
import io.sluice.offload.jdbc.Database;
import io.sluice.offload.jdbc.StatementCheck;
import io.sluice.offload.spill.SpillSpace;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Runs an SQL statement on the workers of its database. Rows are streamed as JSON while they are read; the
 * end of the response is sent after the commit. If the client disconnects or the deadline passes, the
 * statement is cancelled and its transaction rolled back. A SELECT of few rows is auto-committed, which saves
 * a round trip.
 *
 * <p>Statuses: 400 for missing and invalid parameters, 401 without a required caller, 415 and 413 for a body,
 * 404 if a single row does not exist, 409 for a violated constraint, 422 for a value that does not fit, 500
 * for wrong SQL or a row larger than the database's {@code fetch-buffer}; the configuration may choose others
 * for SQL errors. An error after the first 32 KiB of rows cuts the response off.
 */
public final class QueryHandler implements RouteHandler {
    private final QueryParameters parameters;
    private final Query query;

    /**
     * Creates a handler for a route of kind {@code query}.
     *
     * @param path the route's path, whose captures may be parameters
     * @param spillSpace stores the rest of responses whose clients read too slowly
     */
    public QueryHandler(HandlerConfig.Query config, PathTemplate path, Database database,
                        SpillSpace spillSpace) {
        parameters = new QueryParameters(config, path);
        query = new Query(config, path, parameters, database, spillSpace);
    }

    /** Returns the statements of a route for a check against its database, by the keys below the route's. */
    public static Map<String, StatementCheck.Checked> checked(HandlerConfig.Query config, PathTemplate path) {
        return new QueryParameters(config, path).checked(config);
    }

    /**
     * Returns what the result of a request without a body depends on: the values of its parameters by their
     * names, what it selects, and the settings of its transaction. On the event loop.
     *
     * @throws HttpException 400, 401 or 406, which would be its response
     */
    public Map<String, @Nullable Object> identity(Exchange exchange) {
        Map<String, @Nullable Object> identity = parameters.named(parameters.readHead(exchange).values());
        Selection selection = query.request(exchange).selection();
        if (selection != null) {
            identity.put(" selection", selection.values());
        }
        identity.put(" settings", query.settings(exchange).values());
        return identity;
    }

    @Override
    public void handle(Exchange exchange) {
        if (!parameters.needBody()) {
            @Nullable Object[] values = parameters.readHead(exchange).values();
            run(exchange, _ -> values);
            return;
        }
        JsonMembers.requireJson(exchange.headers());
        exchange.readBody(body -> {
            QueryArguments head = parameters.readHead(exchange);
            if (body.readableBytes() <= JsonMembers.MOST_ON_LOOP) {
                @Nullable Object[] values = parameters.addBody(head, body).values();
                run(exchange, _ -> values);
            } else {
                var large = new OffloadedBody(body);
                run(exchange, _ -> large.read(buffer -> parameters.addBody(head, buffer)).values())
                        .addListener(_ -> large.drop());
            }
        });
    }

    /** Submits the query; the worker calls {@code values} for its parameters. */
    private Future<?> run(Exchange exchange, Work<@Nullable Object[]> values) {
        return new QueryRun(query, exchange, values).submit();
    }
}
