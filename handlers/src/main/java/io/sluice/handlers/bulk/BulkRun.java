package io.sluice.handlers.bulk;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.sluice.config.bulk.BulkConfig;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Mistake;
import io.sluice.handlers.session.BoundSettings;
import io.sluice.offload.WorkScope;
import io.sluice.offload.jdbc.StatementCanceller;
import io.sluice.offload.spill.SpillException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** One run of a statement for all rows of a body. Used by one worker, and read after it has ended. */
final class BulkRun {
    /** The number of mistakes that a response tells, after which no more are looked for. */
    private static final int MAX_MISTAKES = 100;
    /** The driver holds a batch in memory. In bytes of the body, at least a row. */
    private static final int BATCH_BYTES = 1 << 20;

    private final BulkConfig config;
    private final String jdbc;
    private final BoundSettings local;
    private final BulkInsert.Rows rows;
    private final boolean lines;
    private final UploadCoding coding;
    private final long maxBody;
    private final List<Mistake> mistakes = new ArrayList<>(0);
    private int count;
    private int batched;
    private int batchedBytes;
    /** The rows of the batch that has failed; null for none. */
    private volatile @Nullable String failedRows;

    BulkRun(BulkConfig config, String jdbc, BoundSettings local, BulkInsert.Rows rows, boolean lines,
            UploadCoding coding, long maxBody) {
        this.config = config;
        this.jdbc = jdbc;
        this.local = local;
        this.rows = rows;
        this.lines = lines;
        this.coding = coding;
        this.maxBody = maxBody;
    }

    /**
     * Runs the statement for all rows, and returns their number. Blocks.
     *
     * @throws HttpException 400 with the first mistakes, 413 for a large body, 503 if the disk fails
     */
    int execute(Connection connection, WorkScope scope, UploadedBody body) throws SQLException, IOException {
        local.apply(connection);
        try (UploadedBody opened = body.open(scope); InputStream in = coding.decoded(opened, maxBody);
                PreparedStatement statement = connection.prepareStatement(jdbc);
                var _ = new StatementCanceller(statement, scope)) {
            var reader = new RowReader(in, lines);
            for (ByteBuf row = reader.next(); row != null; row = reader.next()) {
                if (scope.isAbandoned()) {
                    throw new CancellationException();
                }
                add(statement, row);
            }
            if (!mistakes.isEmpty()) {
                throw HttpException.badRequest(mistakes, MAX_MISTAKES);
            }
            runBatch(statement);
            return count;
        } catch (EOFException | ZipException e) {
            throw new HttpException(HttpResponseStatus.BAD_REQUEST,
                    "body (expected: " + coding + ", whole and valid)", e);
        } catch (SpillException e) {
            throw HttpException.tryAgain("the stored body cannot be read", e);
        }
    }

    private void add(PreparedStatement statement, ByteBuf row) throws SQLException {
        if (count == config.rows()) {
            throw new HttpException(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
                    "the body has too many rows (expected: at most " + config.rows() + ')');
        }
        int bytes = row.readableBytes();
        int number = count++;
        rows.bind(statement, row).forEach(mistake -> mistakes.add(mistake.inRow(number)));
        if (mistakes.size() >= MAX_MISTAKES) {
            throw HttpException.badRequest(mistakes, MAX_MISTAKES);
        }
        if (mistakes.isEmpty()) { // otherwise the other rows are only read, for their mistakes
            statement.addBatch();
            batched++;
            batchedBytes += bytes;
            if (batched == config.batch() || batchedBytes >= BATCH_BYTES) {
                runBatch(statement);
            }
        }
    }

    private void runBatch(PreparedStatement statement) throws SQLException {
        if (batched == 0) {
            return;
        }
        try {
            statement.executeBatch();
            batched = 0;
            batchedBytes = 0;
        } catch (BatchUpdateException e) {
            failedRows = "rows " + (count - batched) + ".." + (count - 1);
            throw e.getNextException() == null ? e : e.getNextException();
        }
    }

    /** Returns a failure that tells the rows of the batch, if that has failed by its values. */
    Throwable inItsRows(Throwable failure) {
        String failed = failedRows;
        return failed != null && failure instanceof HttpException told && told.status().code() < 500
                ? told.within(failed) : failure;
    }
}
