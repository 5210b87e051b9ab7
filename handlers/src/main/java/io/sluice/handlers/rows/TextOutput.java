package io.sluice.handlers.rows;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.io.NumberOutput;
import tools.jackson.core.io.SerializedString;

/** Writes columns as plain text: what JSON would have as a string or number, and arrays as JSON. */
abstract class TextOutput implements RowOutput {
    private static final int MAX_NUMBER = 20;
    private static final SerializedString[] NO_NAMES = { };

    private final OutputStream out;
    private final byte[] buffer = new byte[8192];
    private int end;
    private @Nullable ByteArrayOutputStream array;
    private @Nullable RowOutput elements;

    TextOutput(OutputStream out) {
        this.out = out;
    }

    /** Writes the bytes of a text, which may need quotes. */
    abstract void writeBytes(byte[] text) throws IOException;

    final void put(int character) throws IOException {
        makeRoom(1);
        buffer[end++] = (byte) character;
    }

    final void put(byte[] bytes) throws IOException {
        if (bytes.length > buffer.length) {
            makeRoom(buffer.length);
            out.write(bytes);
        } else {
            makeRoom(bytes.length);
            System.arraycopy(bytes, 0, buffer, end, bytes.length);
            end += bytes.length;
        }
    }

    private void makeRoom(int bytes) throws IOException {
        if (buffer.length - end < bytes) {
            out.write(buffer, 0, end);
            end = 0;
        }
    }

    @Override
    public final void end() throws IOException {
        makeRoom(buffer.length);
        out.close();
    }

    @Override
    public final void writeText(String text) throws IOException {
        writeBytes(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public final void writeAscii(byte[] text) throws IOException {
        writeBytes(text);
    }

    @Override
    public final void writeJson(String json) throws IOException {
        writeText(json);
    }

    @Override
    public final void writeBoolean(boolean value) throws IOException {
        putAscii(Boolean.toString(value));
    }

    @Override
    public final void writeInt(long value) throws IOException {
        writeLong(value);
    }

    @Override
    public final void writeLong(long value) throws IOException {
        makeRoom(MAX_NUMBER);
        end = NumberOutput.outputLong(value, buffer, end);
    }

    @Override
    public final void writeFloat(float value) throws IOException {
        putAscii(Float.toString(value));
    }

    @Override
    public final void writeDouble(double value) throws IOException {
        putAscii(Double.toString(value));
    }

    @Override
    public final void writeDecimal(String number) throws IOException {
        putAscii(number);
    }

    final void putAscii(String text) throws IOException {
        put(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    @Override
    public final RowOutput beginArray() {
        array = new ByteArrayOutputStream();
        elements = new JsonOutput(array, NO_NAMES, JsonOutput.Frame.ARRAY, false);
        return elements;
    }

    @Override
    public final void endArray() throws IOException {
        Objects.requireNonNull(elements).end();
        writeBytes(Objects.requireNonNull(array).toByteArray());
    }
}
