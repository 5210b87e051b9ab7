package io.sluice.handlers.selection;

import io.sluice.config.selection.PagingConfig.Count;
import io.sluice.config.selection.SortKey;
import io.sluice.handlers.http.TargetQuery;
import io.sluice.handlers.rows.ColumnText;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A page of a result.
 *
 * @param target the target of the request for it
 * @param purpose the purpose of its cursors, which are not valid for another one
 * @param limit the largest number of rows
 * @param count whether, and how, the rows of all pages are counted; null for not
 * @param after the values of the order's columns in the row before it; null for the first page
 */
record Page(String target, CursorSeal seal, String purpose, int limit, @Nullable Count count,
            @Nullable List<@Nullable String> after) {

    static final String CURSOR = "cursor";
    static final String EXPECTED_CURSOR = "one of a Link of this route, with the same sort";
    /** The most bytes of the values in a cursor, which are 4 KiB of a request's target. */
    private static final int MAX_BYTES = 3072;

    /** Returns the values of a cursor that begins after the current row of a result in this order. */
    static List<@Nullable String> values(ResultSet row, List<SortKey> order) throws SQLException {
        var values = new ArrayList<@Nullable String>();
        for (SortKey key : order) {
            int at = row.findColumn(key.column());
            ResultSetMetaData types = row.getMetaData();
            var type = new ColumnType(types.getColumnType(at), types.getColumnTypeName(at));
            if (!type.hasExactText()) {
                throw new SQLException("pages in the order of the column %s of the type %s "
                        .formatted(key.column(), type.name()) + "(expected: another type, as by a CAST)");
            }
            values.add(ColumnText.of(row, at));
        }
        return values;
    }

    /**
     * Returns the Link (RFC 8288) to the page after the row with these values.
     *
     * @throws SQLException if they are so long that clients, and this gateway, would refuse the cursor
     */
    String next(List<@Nullable String> values) throws SQLException {
        long size = values.stream().mapToLong(Page::size).sum();
        if (size > MAX_BYTES) {
            throw new SQLException("the values of a cursor have %d bytes (expected: at most %d; "
                    .formatted(size, MAX_BYTES) + "order by a part of long texts, such as LEFT(name, 200))");
        }
        int mark = target.indexOf('?');
        // Several slashes are routed as one, but begin with a host in a reference (RFC 3986 section 4.2).
        String path = (mark < 0 ? target : target.substring(0, mark)).replaceFirst("^/+", "/");
        Stream<String> kept = TargetQuery.encoded(target)
                .filter(parameter -> !TargetQuery.name(parameter).equals(CURSOR));
        String query = Stream.concat(kept, Stream.of(CURSOR + '=' + seal.seal(purpose, values)))
                .collect(Collectors.joining("&"));
        return '<' + (path + '?' + query).replace("<", "%3C").replace(">", "%3E") + ">; rel=\"next\"";
    }

    private static long size(@Nullable String value) {
        return value == null ? 0 : value.getBytes(StandardCharsets.UTF_8).length;
    }
}
