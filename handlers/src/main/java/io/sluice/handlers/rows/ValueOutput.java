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
        // There is one.
    }

    @Override
    public void beginColumn(int column) {
        // There is one.
    }

    @Override
    public void endRow() {
        // There is one.
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
