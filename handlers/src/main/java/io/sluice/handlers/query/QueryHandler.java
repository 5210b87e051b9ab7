package io.sluice.handlers.query;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.HandlerConfig;
import io.sluice.config.type.PathTemplate;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.MemoryShare;
import io.sluice.handlers.Mistake;
import io.sluice.handlers.RouteHandler;
import io.sluice.handlers.bulk.BulkInsert;
import io.sluice.handlers.form.Form;
import io.sluice.handlers.http.OffloadedBody;
import io.sluice.handlers.json.Json;
import io.sluice.handlers.json.JsonMembers;
import io.sluice.handlers.selection.Selection;
import io.sluice.handlers.session.BoundSettings;
import io.sluice.offload.jdbc.Database;
import io.sluice.offload.jdbc.StatementCheck;
import io.sluice.offload.spill.SpillSpace;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs an SQL statement on the workers of its database. Rows are streamed as JSON while they are read; the
 * end of the response is sent after the commit. If the client disconnects or the deadline passes, the
 * statement is cancelled and its transaction rolled back. A SELECT of few rows is auto-committed, which saves
 * a round trip.
 *
 * <p>The event loop reads and checks the parameters. A request whose values are large waits without them: the
 * worker reads them again, from the head and the body.
 *
 * <p>Statuses: 400 for missing and invalid parameters, 401 without a required caller, 415 and 413 for a body,
 * 404 if a single row does not exist, 409 for a violated constraint, 422 for a value that does not fit, 500
 * for wrong SQL or a row larger than the database's {@code fetch-buffer}; the configuration may choose others
 * for SQL errors. An error after the first 32 KiB of rows cuts the response off.
 */
public final class QueryHandler implements RouteHandler {
    private final QueryParameters parameters;
    private final Query query;
    /** Null for a statement that runs once for a request. */
    private final @Nullable BulkInsert bulk;

    /**
     * Creates a handler for a route of kind {@code query}.
     *
     * @param path the route's path, whose captures may be parameters
     * @param maxBody the largest body of the route's requests in bytes
     * @param spillSpace stores uploads, and the rest of responses whose clients read too slowly
     */
    public QueryHandler(HandlerConfig.Query config, PathTemplate path, long maxBody, Database database,
                        SpillSpace spillSpace) {
        parameters = new QueryParameters(config, path, JdbcBinding.of(database.config()));
        query = new Query(config, path, parameters, database, spillSpace);
        bulk = config.bulk().map(bounds -> new BulkInsert(bounds, parameters.jdbc(), database, spillSpace,
                maxBody, failure -> query.errors().forClient(failure, false))).orElse(null);
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
        QueryArguments head = parameters.readHead(exchange);
        Selection selection = query.request(exchange, head.mistakes()).selection();
        BoundSettings settings = query.settings(exchange, head.mistakes());
        if (selection != null) {
            head.mistakes().addAll(selection.mistakes());
        }
        Map<String, @Nullable Object> identity = parameters.named(head.values());
        if (selection != null) {
            identity.put(" selection", selection.values());
        }
        identity.put(" settings", settings.values());
        return identity;
    }

    @Override
    public void handle(Exchange exchange) {
        query.requireEvaluated(exchange);
        if (!parameters.needBody()) {
            QueryArguments head = parameters.readHead(exchange);
            new QueryRun(query, exchange, _ -> parameters.readHead(exchange), false).with(head).submit();
        } else if (bulk == null) {
            Form form = form(exchange, parameters.needObjects());
            exchange.readBody(body -> run(exchange, form, body));
        } else {
            insert(exchange, bulk);
        }
    }

    private void run(Exchange exchange, @Nullable Form form, ByteBuf body) {
        QueryArguments head = parameters.readHead(exchange);
        Function<ByteBuf, QueryArguments> reader =
                buffer -> add(parameters.readHead(exchange), form, buffer);
        if (body.readableBytes() > JsonMembers.MAX_ON_LOOP) {
            runLarge(exchange, new OffloadedBody(body), reader, null);
            return;
        }
        int start = body.readerIndex();
        QueryArguments read = add(head, form, body);
        if (read.areLarge()) {
            body.readerIndex(start);
            boolean counts = body.readableBytes() > MemoryShare.FREE_BODY; // which a copy would not
            runLarge(exchange, counts ? new OffloadedBody(body) : OffloadedBody.copy(body, exchange.alloc()),
                    reader, read);
        } else {
            new QueryRun(query, exchange, _ -> read, true).with(read).submit();
        }
    }

    /**
     * Runs the query with a body that its worker reads.
     *
     * @param known the values, if they have been read, to be checked and dropped
     */
    private void runLarge(Exchange exchange, OffloadedBody body, Function<ByteBuf, QueryArguments> reader,
                          @Nullable QueryArguments known) {
        try {
            var run = new QueryRun(query, exchange, _ -> body.read(reader), true);
            if (known != null) {
                run.with(known);
            }
            run.submit().addListener(_ -> body.drop());
        } catch (Throwable e) { // such as a 406
            body.drop();
            throw e;
        }
    }

    private void insert(Exchange exchange, BulkInsert into) {
        QueryArguments head = parameters.readHead(exchange);
        BoundSettings settings = query.settings(exchange, head.mistakes());
        head.values(); // throws if there are mistakes
        @Nullable QueryArguments[] ofRows = {head.areLarge() ? null : head}; // it waits for a worker, too
        into.handle(exchange, settings, (statement, row) -> {
            QueryArguments known = ofRows[0] == null ? parameters.readHead(exchange) : ofRows[0];
            ofRows[0] = known;
            QueryArguments arguments = add(new QueryArguments(known), null, row);
            if (arguments.mistakes().isEmpty()) {
                parameters.bind(statement, 1, arguments.values());
            }
            return arguments.mistakes();
        });
    }

    /** Returns the reader of a form; null for JSON, which also has no Content-Type; 415 for others. */
    private static @Nullable Form form(Exchange exchange, boolean onlyJson) {
        String contentType = exchange.headers().get(HttpHeaderNames.CONTENT_TYPE);
        Form form = onlyJson ? null : Form.of(contentType);
        if (form == null && contentType != null && !Json.isMediaType(contentType)) {
            String types = Json.MEDIA_TYPE + (onlyJson ? "" : ", " + Form.MEDIA_TYPES);
            var refusal = new HttpException(HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
                    "content-type: %s (expected: %s, in UTF-8)".formatted(contentType, types));
            // RFC 5789 section 2.2
            throw exchange.request().method().equals(HttpMethod.PATCH)
                    ? refusal.with(HttpHeaderNames.ACCEPT_PATCH, types) : refusal;
        }
        return form;
    }

    /** Adds the parameters from a body; one that is malformed is a mistake, in place of those in it. */
    private QueryArguments add(QueryArguments head, @Nullable Form form, ByteBuf body) {
        List<Mistake> mistakes = head.mistakes();
        int before = mistakes.size();
        try {
            return form == null ? parameters.addBody(head, body) : parameters.addForm(head, form.read(body));
        } catch (HttpException refusal) {
            if (refusal.mistakes().isEmpty()) { // else there are too many, and they have been added
                mistakes.subList(before, mistakes.size()).clear();
                mistakes.add(Mistake.ofBody(String.valueOf(refusal.getMessage())));
            }
            return head;
        }
    }
}
