package io.sluice.handlers.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import io.netty.util.concurrent.Future;
import io.sluice.config.HandlerConfig;
import io.sluice.config.PathTemplate;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.RouteHandler;
import io.sluice.offload.Database;
import io.sluice.offload.StatementCanceller;
import io.sluice.offload.Work;
import io.sluice.offload.WorkScope;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import tools.jackson.core.JsonGenerator;

/**
 * Runs one SQL statement on the workers of its database. Rows are streamed as JSON while they are read;
 * the end of the answer is sent when the transaction has been committed. When the client goes away or the
 * deadline passes, the statement is cancelled and its transaction rolled back. A SELECT of few rows has none
 * beyond itself: that saves a round trip.
 *
 * <p>400 where a parameter is missing or wrong, 415 and 413 where the body is; 404 where a single row is
 * not there; 409 where a constraint is broken, 422 where a value does not fit, 500 where the SQL is wrong.
 * An error after the first 32 KiB of rows cuts the answer off.
 */
public final class QueryHandler implements RouteHandler {
    /** Rows that a driver with cursors, such as PostgreSQL's, holds at a time. */
    private static final int FETCH_SIZE = 500;
    private static final AsciiString ROW_LIMIT = AsciiString.cached("row-limit");
    private static final int ROWS = -1;

    private final HandlerConfig.Query config;
    private final QueryParameters parameters;
    private final JsonMembers members;
    private final boolean needsBody;
    private final Database database;
    /** Whether it is one that reads, without the cursor for which a transaction would be needed. */
    private final boolean needsNoTransaction;

    /** For a route of kind {@code query} at a path. */
    public QueryHandler(HandlerConfig.Query config, PathTemplate path, Database database) {
        this.config = config;
        this.parameters = new QueryParameters(config, path);
        members = new JsonMembers(parameters.inBody());
        needsBody = !parameters.inBody().isEmpty();
        this.database = database;
        needsNoTransaction = config.sql().isSelect() && (config.single() || config.rowLimit() <= FETCH_SIZE);
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

    /** Answers with what the statement does; its values are read on the worker. */
    private Future<?> run(Exchange exchange, Work<Object[]> values) {
        var answer = new BlockingAnswer(exchange, Json.MEDIA_TYPE);
        if (!config.single()) {
            answer.headers().set(ROW_LIMIT, config.rowLimit());
        }
        Future<Integer> result = database.submitPrepared(exchange.deadline(), exchange.eventLoop(), first -> {
            Object[] read = values.run(first);
            return (connection, scope) -> execute(connection, scope, read, answer);
        });
        exchange.onAbort(() -> result.cancel(false));
        result.addListener(done -> {
            if (done.isSuccess() && result.getNow() == ROWS) {
                answer.finish();
            } else {
                answer.discard();
                answerRest(exchange, result);
            }
        });
        return result;
    }

    private static void answerRest(Exchange exchange, Future<Integer> result) {
        if (result.isSuccess()) {
            ByteBuf buffer = exchange.alloc().buffer(32);
            ByteBufUtil.writeAscii(buffer, "{\"updated\":" + result.getNow() + '}');
            exchange.respond(HttpResponseStatus.OK, Json.MEDIA_TYPE, buffer);
        } else {
            exchange.fail(SqlErrors.forClient(result.cause()));
        }
    }

    private int execute(Connection connection, WorkScope scope, Object[] values, BlockingAnswer answer)
            throws SQLException {
        connection.setAutoCommit(needsNoTransaction);
        try (PreparedStatement statement = connection.prepareStatement(config.sql().jdbc());
                var _ = new StatementCanceller(statement, scope)) {
            statement.setFetchSize(FETCH_SIZE);
            statement.setMaxRows(config.single() ? 1 : config.rowLimit());
            parameters.bind(statement, values);
            if (!statement.execute()) {
                return statement.getUpdateCount();
            }
            try (ResultSet rows = statement.getResultSet()) {
                write(rows, answer);
            }
            return ROWS;
        }
    }

    private void write(ResultSet rows, BlockingAnswer answer) throws SQLException {
        RowWriter row = RowWriter.of(rows.getMetaData());
        if (config.single() && !rows.next()) {
            throw new HttpException(HttpResponseStatus.NOT_FOUND, "no such row");
        }
        JsonGenerator json = Json.generator(answer);
        if (config.single()) {
            row.write(json, rows);
        } else {
            json.writeStartArray();
            while (rows.next()) {
                row.write(json, rows);
            }
            json.writeEndArray();
        }
        json.close();
    }
}
