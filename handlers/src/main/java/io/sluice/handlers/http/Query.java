package io.sluice.handlers.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import io.sluice.config.HandlerConfig;
import io.sluice.handlers.HttpException;
import io.sluice.offload.Database;
import io.sluice.offload.PreparedPlan;
import io.sluice.offload.StatementCanceller;
import io.sluice.offload.WorkScope;
import io.sluice.offload.spill.SpillSpace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import tools.jackson.core.JsonGenerator;

/**
 * A route's SQL statement, and the way in which its result becomes an answer. Rows are fetched a few at a
 * time, by a cursor, so that few bytes of them are held at once; where all fit, without a cursor and the
 * transaction that it needs, which saves a round trip. Thread-safe.
 */
final class Query {
    private static final AsciiString ROW_LIMIT = AsciiString.cached("row-limit");
    /** Bytes that a driver holds for each column beside its value. */
    private static final int COLUMN = 32;

    private final HandlerConfig.Query config;
    private final QueryParameters parameters;
    private final Database database;
    private final SpillSpace spillSpace;
    private final FetchSize fetchSize;
    private final int mostRows;

    Query(HandlerConfig.Query config, QueryParameters parameters, Database database, SpillSpace spillSpace) {
        this.config = config;
        this.parameters = parameters;
        this.database = database;
        this.spillSpace = spillSpace;
        fetchSize = new FetchSize(database.fetchBuffer());
        mostRows = config.single() ? 1 : config.rowLimit();
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

    /** Runs the statement and writes its answer; blocks. */
    void execute(Connection connection, WorkScope scope, Object[] values, BlockingAnswer answer)
            throws SQLException, IOException {
        connection.setAutoCommit(config.sql().isSelect() && fetchSize.fits(mostRows));
        try (PreparedStatement statement = connection.prepareStatement(config.sql().jdbc());
                var _ = new StatementCanceller(statement, scope)) {
            statement.setMaxRows(mostRows);
            statement.setFetchSize(Math.min(mostRows, fetchSize.rows()));
            parameters.bind(statement, values);
            if (PreparedPlan.execute(statement)) {
                try (ResultSet rows = statement.getResultSet()) {
                    write(rows, answer);
                }
            } else {
                int updated = Math.max(0, statement.getUpdateCount()); // a CALL has none: -1
                answer.write(("{\"updated\":" + updated + '}').getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    private void write(ResultSet rows, BlockingAnswer answer) throws SQLException {
        RowWriter row = RowWriter.of(rows.getMetaData());
        if (!config.single()) {
            answer.headers().set(ROW_LIMIT, config.rowLimit());
        } else if (!rows.next()) {
            throw new HttpException(HttpResponseStatus.NOT_FOUND, "no such row");
        }
        JsonGenerator json = Json.generator(answer);
        if (config.single()) {
            writeRow(row, json, rows, answer);
        } else {
            json.writeStartArray();
            writeRows(row, json, rows, answer);
            json.writeEndArray();
        }
        json.close();
    }

    private void writeRows(RowWriter row, JsonGenerator json, ResultSet rows, BlockingAnswer answer)
            throws SQLException {
        long widest = 0;
        int ofThese = fetchSize.rows();
        while (rows.next()) {
            widest = Math.max(widest, writeRow(row, json, rows, answer));
            if (--ofThese == 0) {
                ofThese = Math.min(mostRows, fetchSize.rows(widest));
                rows.setFetchSize(ofThese);
            }
        }
        fetchSize.learn(widest);
    }

    /** Returns about how many bytes the driver holds for the row. */
    private long writeRow(RowWriter row, JsonGenerator json, ResultSet rows, BlockingAnswer answer)
            throws SQLException {
        long before = answer.written() + json.streamWriteOutputBuffered();
        row.write(json, rows);
        long text = answer.written() + json.streamWriteOutputBuffered() - before;
        database.requireFetchable(text);
        return text + (long) row.columns() * COLUMN;
    }
}
