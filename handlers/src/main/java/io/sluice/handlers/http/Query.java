package io.sluice.handlers.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import io.netty.util.concurrent.Ticker;
import io.sluice.config.HandlerConfig;
import io.sluice.handlers.HttpException;
import io.sluice.offload.WorkScope;
import io.sluice.offload.jdbc.Database;
import io.sluice.offload.jdbc.PreparedPlan;
import io.sluice.offload.jdbc.StatementCanceller;
import io.sluice.offload.spill.SpillSpace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * A route's SQL statement, and the conversion of its result to a response. Rows are fetched a few at a time
 * by a cursor, so that few of them are in memory. A result that certainly fits is fetched without a cursor
 * and the transaction that it needs, which saves its round trips; a statement that returns no rows needs none
 * either. Thread-safe.
 */
final class Query {
    private static final AsciiString ROW_LIMIT = AsciiString.cached("row-limit");
    /** The approximate bytes that a driver holds for each column beside its value. */
    private static final int COLUMN = 32;

    private final HandlerConfig.Query config;
    private final QueryParameters parameters;
    private final SqlErrors errors;
    private final Database database;
    private final SpillSpace spillSpace;
    private final FetchSize fetchSize;
    private final OversizeValues oversize = new OversizeValues(Ticker.systemTicker());
    private final int mostRows;
    private final boolean select;
    private final boolean reads;
    /** Indicates whether the statement changes rows, without control of its transaction as by a CALL. */
    private final boolean changesRows;
    /** Indicates whether the statement has changed rows and returned none, as it always will. */
    private volatile boolean returnsNothing;

    Query(HandlerConfig.Query config, QueryParameters parameters, Database database, SpillSpace spillSpace) {
        this.config = config;
        this.parameters = parameters;
        errors = new SqlErrors(config, parameters);
        this.database = database;
        this.spillSpace = spillSpace;
        fetchSize = new FetchSize(database.fetchBuffer(), Ticker.systemTicker());
        mostRows = config.single() ? 1 : config.rowLimit();
        select = config.sql().isSelect();
        reads = config.sql().change().isEmpty();
        changesRows = config.sql().changesRows();
    }

    Database database() {
        return database;
    }

    SpillSpace spillSpace() {
        return spillSpace;
    }

    FetchSize fetchSize() {
        return fetchSize;
    }

    OversizeValues oversize() {
        return oversize;
    }

    SqlErrors errors() {
        return errors;
    }

    /** Returns whether the statement only reads, according to its text. */
    boolean reads() {
        return reads;
    }

    /**
     * Returns the pages of a run.
     *
     * @param alone whether each row is fetched singly
     */
    ResultPages pages(boolean alone) {
        return new ResultPages(fetchSize, mostRows, alone);
    }

    /** Runs the statement and writes its response. Blocks. */
    void execute(Connection connection, WorkScope scope, @Nullable Object[] values, ResultPages pages,
                 BlockingAnswer answer) throws SQLException, IOException {
        if (!returnsNothing && !(select && pages.isWhole())) {
            connection.setAutoCommit(false);
        }
        try (PreparedStatement statement = connection.prepareStatement(parameters.jdbc());
                var _ = new StatementCanceller(statement, scope)) {
            statement.setMaxRows(mostRows);
            statement.setFetchSize(pages.size());
            parameters.bind(statement, values);
            if (PreparedPlan.execute(statement)) {
                try (ResultSet rows = statement.getResultSet()) {
                    write(rows, pages, answer);
                }
            } else {
                returnsNothing = changesRows;
                int updated = Math.max(0, statement.getUpdateCount()); // -1 for a CALL
                answer.write(("{\"updated\":" + updated + '}').getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    private void write(ResultSet rows, ResultPages pages, BlockingAnswer answer) throws SQLException {
        RowWriter row = RowWriter.of(rows.getMetaData());
        if (!config.single()) {
            answer.headers().set(ROW_LIMIT, config.rowLimit());
        } else if (!rows.next()) {
            throw new HttpException(HttpResponseStatus.NOT_FOUND, "no such row");
        }
        JsonGenerator json = Json.generator(answer);
        if (config.single()) {
            writeRow(row, json, rows);
        } else {
            json.writeStartArray();
            while (rows.next()) {
                pages.read(writeRow(row, json, rows), rows);
            }
            pages.end();
            json.writeEndArray();
        }
        json.close();
    }

    /** Returns the approximate bytes that the driver holds for the row. */
    private long writeRow(RowWriter row, JsonGenerator json, ResultSet rows) throws SQLException {
        long values = row.write(json, rows);
        database.requireFetchable(values);
        return values + (long) row.columns() * COLUMN;
    }
}
