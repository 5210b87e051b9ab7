package io.sluice.handlers.rows;

import java.io.IOException;
import java.io.OutputStream;

/** Writes the value of a single column, without any syntax around it; nothing for NULL. */
final class ValueOutput extends TextOutput {

    ValueOutput(OutputStream out) {
        super(out);
    }

    @Override
    public void beginRow() {
        // a single value has no rows or columns around it
    }

    @Override
    public void beginColumn(int column) {
        // a single value has no rows or columns around it
    }

    @Override
    public void endRow() {
        // a single value has no rows or columns around it
    }

    @Override
    public void writeNull() {
        // Nothing.
    }

    @Override
    void writeBytes(byte[] text) throws IOException {
        put(text);
    }

    @Override
    public void writeBinary(byte[] value) throws IOException {
        put(value);
    }
}
