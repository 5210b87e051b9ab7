package io.sluice.handlers.write;

import io.sluice.config.write.LocationTemplate;
import io.sluice.handlers.rows.ColumnText;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The Location of a row that has been created: a template with columns of the row. */
public record RowLocation(LocationTemplate template) {
    private static final String UNRESERVED = "-._~";
    /** A reference whose path has the segment {@code .} or {@code ..}: it leads elsewhere. */
    private static final Pattern DOT_SEGMENT = Pattern.compile("[^?#]*/\\.\\.?(?:[/?#].*)?");

    /**
     * Returns the reference for the current row; null if one of its columns is NULL or empty, or makes a dot
     * segment (RFC 3986 section 5.2.4), which no encoding makes an ordinary one.
     */
    public @Nullable String of(ResultSet row) throws SQLException {
        String[] texts = new String[template.columns().size()];
        for (int i = 0; i < texts.length; i++) {
            String text = ColumnText.of(row, row.findColumn(template.columns().get(i)));
            if (text == null || text.isEmpty()) {
                return null;
            }
            texts[i] = encoded(text);
        }
        int[] next = {0};
        String reference = template.with(_ -> texts[next[0]++]);
        return DOT_SEGMENT.matcher(reference).matches() ? null : reference;
    }

    /** Returns a text as a segment of a path (RFC 3986 section 3.3). */
    private static String encoded(String text) {
        var encoded = new StringBuilder();
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            boolean isPlain = octet >= '0' && octet <= '9' || octet >= 'A' && octet <= 'Z'
                    || octet >= 'a' && octet <= 'z' || UNRESERVED.indexOf(octet) >= 0;
            if (isPlain) {
                encoded.append((char) octet);
            } else {
                encoded.append('%').append(String.format("%02X", octet));
            }
        }
        return encoded.toString();
    }
}
