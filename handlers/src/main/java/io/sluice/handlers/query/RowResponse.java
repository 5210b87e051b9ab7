package io.sluice.handlers.query;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AsciiString;
import io.sluice.config.HandlerConfig;
import io.sluice.config.type.EtagSource;
import io.sluice.config.write.WriteConfig;
import io.sluice.handlers.Exchange;
import io.sluice.handlers.HttpException;
import io.sluice.handlers.files.CodedTag;
import io.sluice.handlers.files.Conditions;
import io.sluice.handlers.files.Validators;
import io.sluice.handlers.rows.ColumnText;
import io.sluice.handlers.rows.Representation;
import io.sluice.handlers.rows.RowOutput;
import io.sluice.handlers.rows.RowWriter;
import io.sluice.handlers.selection.Selection;
import io.sluice.handlers.selection.SelectionRules;
import io.sluice.handlers.write.RowLocation;
import io.sluice.handlers.write.WriteRequest;
import io.sluice.offload.jdbc.Database;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes the rows of a query's result as its response: all, a single one, or its value. Thread-safe. */
final class RowResponse {
    private static final AsciiString ROW_LIMIT = AsciiString.cached("row-limit");
    private static final AsciiString TRUNCATED = AsciiString.cached("truncated");
    private static final AsciiString LINK = AsciiString.cached("link");
    /** The bytes of a page whose Link is a header. */
    private static final int MAX_HELD_BYTES = 1 << 20;
    /** Equals no tag, as those are in quotes; so the row is a state that only {@code *} means. */
    private static final String NO_TAG = "";
    /** The approximate bytes that a driver holds for each column besides its value. */
    private static final int COLUMN_BYTES = 32;

    private final Database database;
    private final boolean single;
    private final int rowLimit;
    private final @Nullable String valueType;
    /** The headers of a request that responses depend on, for caches (RFC 9110 section 12.5.5). */
    private final String vary;
    private final @Nullable String cacheControl;
    private final @Nullable SelectionRules selectable;
    private final boolean tagged;
    private final @Nullable String tagColumn;
    private final @Nullable RowLocation location;
    /** The writer of the last result; null before the first. */
    private volatile @Nullable RowWriter last;

    /**
     * Creates responses.
     *
     * @param headers those of a request that the rows depend on
     */
    RowResponse(HandlerConfig.Query config, Database database, Stream<String> headers) {
        this.database = database;
        single = config.single();
        rowLimit = config.rowLimit();
        valueType = config.contentType().orElse(null);
        Stream<String> negotiated = valueType == null ? Stream.of("accept") : Stream.empty();
        vary = Stream.concat(negotiated, headers.map(name -> name.toLowerCase(Locale.ROOT))).distinct()
                .collect(Collectors.joining(", "));
        cacheControl = config.cacheControl().orElse(null);
        selectable = SelectionRules.of(config);
        tagged = config.etag().isPresent();
        tagColumn = config.etag().flatMap(EtagSource::column).orElse(null);
        location = config.write().flatMap(WriteConfig::location).map(RowLocation::new).orElse(null);
    }

    /**
     * Returns the response that a request asks for; 406 if it accepts none.
     *
     * @param write is passed on
     */
    RowRequest request(Exchange exchange, @Nullable WriteRequest write) {
        HttpRequest request = exchange.request();
        HttpMethod method = request.method();
        boolean conditional = tagged && (method.equals(HttpMethod.GET) || method.equals(HttpMethod.HEAD));
        String coding = exchange.hasAttr(Exchange.CODING) ? exchange.attr(Exchange.CODING).get() : null;
        if (tagged) {
            exchange.onResponse(answer -> CodedTag.strengthen(request.headers(), coding, answer));
        }
        Conditions conditions = conditional ? new Conditions(request.headers(), coding) : null;
        if (valueType != null) {
            return new RowRequest(Representation.JSON, valueType, conditions, null, write);
        }
        Representation as = Representation.preferred(request.headers());
        return new RowRequest(as, as.mediaType(), conditions,
                selectable == null ? null : selectable.select(exchange), write);
    }

    /** Writes the response. Blocks. */
    void write(ResultSet rows, RowRequest request, ResultPages pages, BlockingResponse answer)
            throws SQLException, IOException {
        RowWriter row = writer(rows.getMetaData());
        HttpHeaders headers = answer.headers();
        if (!vary.isEmpty()) {
            headers.set(HttpHeaderNames.VARY, vary);
        }
        if (cacheControl != null) {
            headers.set(HttpHeaderNames.CACHE_CONTROL, cacheControl);
        }
        Selection selection = request.selection();
        if (single) {
            writeSingle(row, rows, request, answer);
        } else if (selection != null && selection.isPage()) {
            writePage(row, rows, request, selection, pages, answer);
        } else {
            writeAll(row, rows, request, pages, answer);
        }
    }

    /** Adds the headers of a request that an error depends on, since caches may store a 404, too. */
    HttpException varying(HttpException error) {
        return vary.isEmpty() ? error : error.with(HttpHeaderNames.VARY, vary);
    }

    /** A statement's results nearly always have the same columns. */
    private RowWriter writer(ResultSetMetaData columns) throws SQLException {
        RowWriter known = last;
        if (known == null || !known.isFor(columns, tagColumn)) {
            known = RowWriter.of(columns, tagColumn);
            last = known;
        }
        return known;
    }

    private void writeSingle(RowWriter row, ResultSet rows, RowRequest request, BlockingResponse answer)
            throws SQLException, IOException {
        if (!rows.next()) {
            throw new HttpException(HttpResponseStatus.NOT_FOUND, "no such row");
        }
        String reference = location == null ? null : location.of(rows);
        if (reference != null) {
            answer.headers().set(HttpHeaderNames.LOCATION, reference);
        }
        if (tagged) {
            String tag = tag(row, rows, request);
            if (!tag.equals(NO_TAG)) {
                answer.headers().set(HttpHeaderNames.ETAG, tag);
            }
            if (request.conditions() != null && request.conditions().notModified(Validators.strong(tag))) {
                answer.setBodyless(HttpResponseStatus.NOT_MODIFIED);
                return;
            }
        }
        writeRow(row, rows, request, answer);
        if (valueType != null && rows.wasNull()) {
            answer.setBodyless(HttpResponseStatus.NO_CONTENT);
        }
    }

    private void writeRow(RowWriter row, ResultSet rows, RowRequest request, OutputStream to)
            throws SQLException, IOException {
        RowOutput out = valueType == null ? row.single(request.representation(), to) : row.value(to);
        writeRow(row, out, rows);
        out.end();
    }

    /** Returns the approximate bytes that the driver holds for the row. */
    private long writeRow(RowWriter row, RowOutput out, ResultSet rows) throws SQLException, IOException {
        long values = row.write(out, rows);
        database.requireFetchable(values);
        return values + (long) row.columns() * COLUMN_BYTES;
    }

    private String tag(RowWriter row, ResultSet rows, RowRequest request) throws SQLException, IOException {
        if (tagColumn == null) {
            var hash = new RowTag.Hash();
            writeRow(row, rows, request, hash);
            return hash.tag();
        }
        String version = ColumnText.of(rows, row.omitted());
        return version == null ? NO_TAG
                : RowTag.of(version, valueType == null ? request.representation().suffix() : "");
    }

    private void writeAll(RowWriter row, ResultSet rows, RowRequest request, ResultPages pages,
                          BlockingResponse answer) throws SQLException, IOException {
        answer.headers().set(ROW_LIMIT, rowLimit);
        answer.announce(TRUNCATED);
        RowOutput out = row.list(request.representation(), answer);
        int left = rowLimit;
        boolean truncated = false;
        while (rows.next()) {
            if (left-- == 0) {
                truncated = true;
                break;
            }
            pages.read(writeRow(row, out, rows), rows);
        }
        pages.end();
        out.end();
        if (truncated || !answer.isUnsent()) {
            answer.setLate(TRUNCATED, truncated);
        }
    }

    /** The Link is known only after the rows, so these are held back as long as they are few. */
    private void writePage(RowWriter row, ResultSet rows, RowRequest request, Selection selection,
                           ResultPages pages, BlockingResponse answer) throws SQLException, IOException {
        answer.hold(MAX_HELD_BYTES);
        answer.announce(LINK);
        RowOutput out = row.list(request.representation(), answer);
        int left = selection.limit();
        List<@Nullable String> last = List.of();
        while (rows.next()) {
            if (left-- == 0) {
                answer.setLate(LINK, selection.next(last));
                break;
            }
            long width = writeRow(row, out, rows);
            if (left == 0) {
                last = selection.last(rows);
            }
            pages.read(width, rows);
        }
        pages.end();
        out.end();
    }
}
