package io.sluice.handlers.rows;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Writes rows as CSV (RFC 4180) in UTF-8, below a line of the columns' names. NULL is an empty field, an
 * empty text is {@code ""}. Values are never changed, also those that a spreadsheet would take for a formula.
 */
final class CsvOutput extends TextOutput {
    private static final byte[] EMPTY_TEXT = {'"', '"'};

    /** Begins the output with the names of the columns. */
    CsvOutput(OutputStream out, String[] names) throws IOException {
        super(out);
        for (int i = 0; i < names.length; i++) {
            beginColumn(i);
            writeBytes(names[i].getBytes(StandardCharsets.UTF_8));
        }
        endRow();
    }

    @Override
    public void beginRow() {
        // A row begins with its first column.
    }

    @Override
    public void beginColumn(int column) throws IOException {
        if (column > 0) {
            put(',');
        }
    }

    @Override
    public void endRow() throws IOException {
        put('\r');
        put('\n');
    }

    @Override
    public void writeNull() {
        // Nothing.
    }

    @Override
    void writeBytes(byte[] text) throws IOException {
        if (text.length == 0) {
            put(EMPTY_TEXT);
        } else if (isPlain(text)) {
            put(text);
        } else {
            put('"');
            for (byte octet : text) {
                if (octet == '"') {
                    put('"');
                }
                put(octet);
            }
            put('"');
        }
    }

    private static boolean isPlain(byte[] text) {
        for (byte octet : text) {
            if (octet == '"' || octet == ',' || octet == '\r' || octet == '\n') {
                return false;
            }
        }
        return true;
    }

    @Override
    public void writeBinary(byte[] value) throws IOException {
        writeBytes(Base64.getEncoder().encode(value));
    }
}
