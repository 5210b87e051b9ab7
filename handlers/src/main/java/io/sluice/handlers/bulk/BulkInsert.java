package io.sluice.handlers.bulk;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.AsciiString;
import io.netty.util.concurrent.Future;
import io.sluice.config.bulk.BulkConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.Mistake;
import io.sluice.handlers.json.Json;
import io.sluice.handlers.session.BoundSettings;
import io.sluice.offload.jdbc.Database;
import io.sluice.offload.spill.SpillSpace;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Runs a statement for each row of a body, in one transaction. The body is stored while it arrives, so that a
 * slow client holds no worker and no connection; then a worker reads it once, and binds and runs its rows in
 * batches. Thread-safe.
 */
public final class BulkInsert {
    private static final AsciiString NDJSON = AsciiString.cached("application/x-ndjson");

    private final BulkConfig config;
    private final String jdbc;
    private final Database database;
    private final SpillSpace space;
    private final long maxBody;
    private final UnaryOperator<Throwable> errors;

    /** The rows of a request. */
    @FunctionalInterface
    public interface Rows {
        /**
         * Reads a row and binds it, unless something is wrong with it. On a worker.
         *
         * @param row owned by the caller
         * @return all mistakes in the row
         */
        List<Mistake> bind(PreparedStatement statement, ByteBuf row) throws SQLException;
    }

    /**
     * Creates the import of a route.
     *
     * @param jdbc the statement
     * @param space stores bodies
     * @param maxBody the largest decoded body in bytes
     * @param errors maps failures of the database to those that clients get
     */
    public BulkInsert(BulkConfig config, String jdbc, Database database, SpillSpace space, long maxBody,
                      UnaryOperator<Throwable> errors) {
        this.config = config;
        this.jdbc = jdbc;
        this.database = database;
        this.space = space;
        this.maxBody = maxBody;
        this.errors = errors;
    }

    /**
     * Stores the body of a request, runs the statement for its rows, and responds. On the event loop.
     *
     * @param local the settings of the transaction
     */
    public void handle(Exchange exchange, BoundSettings local, Rows rows) {
        boolean lines = isLines(exchange.headers());
        UploadCoding coding = UploadCoding.of(exchange.headers());
        var upload = new Upload(exchange, space, space.workers(), whole -> run(exchange, whole,
                new BulkRun(config, jdbc, local, rows, lines, coding, maxBody)));
        exchange.onAbort(upload::release);
        exchange.streamBody(upload);
    }

    private static boolean isLines(HttpHeaders headers) {
        String type = headers.get(HttpHeaderNames.CONTENT_TYPE, Json.MEDIA_TYPE.toString());
        boolean lines = NDJSON.contentEqualsIgnoreCase(String.valueOf(HttpUtil.getMimeType(type)).strip());
        if (!lines && !Json.isMediaType(type)) {
            throw new HttpException(HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE,
                    "content-type: %s (expected: %s or %s)".formatted(type, Json.MEDIA_TYPE, NDJSON));
        }
        return lines;
    }

    private void run(Exchange exchange, Upload upload, BulkRun run) {
        UploadedBody body = upload.whole();
        Future<Integer> result = database.submit(exchange.clientNetwork(), exchange.deadline(),
                exchange.eventLoop(), (connection, scope) -> run.execute(connection, scope, body));
        exchange.onAbort(() -> result.cancel(false));
        result.addListener(_ -> {
            upload.release();
            if (result.isSuccess()) {
                exchange.respond(HttpResponseStatus.OK, Json.MEDIA_TYPE,
                        ByteBufUtil.writeAscii(exchange.alloc(), "{\"rows\":" + result.getNow() + '}'));
            } else {
                exchange.fail(run.inItsRows(errors.apply(result.cause())));
            }
        });
    }
}
