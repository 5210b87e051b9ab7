package io.sluice.handlers.rows;

import java.io.OutputStream;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.io.SerializedString;
import tools.jackson.core.json.JsonFactory;

/** Writes rows as JSON objects: one, an array of them, or one a line (NDJSON). */
final class JsonOutput implements RowOutput {
    private static final JsonFactory FACTORY =
            JsonFactory.builder().rootValueSeparator((String) null).build();

    private final JsonGenerator json;
    private final SerializedString[] names;
    private final Frame frame;
    private final boolean numbersAsText;

    /** The punctuation around the objects. */
    enum Frame { NONE, ARRAY, LINES }

    /**
     * Begins the output.
     *
     * @param names those of the columns
     * @param numbersAsText whether numbers that a double may not represent are strings
     */
    JsonOutput(OutputStream out, SerializedString[] names, Frame frame, boolean numbersAsText) {
        json = FACTORY.createGenerator(ObjectWriteContext.empty(), out, JsonEncoding.UTF8);
        this.names = names;
        this.frame = frame;
        this.numbersAsText = numbersAsText;
        if (frame == Frame.ARRAY) {
            json.writeStartArray();
        }
    }

    @Override
    public void beginRow() {
        json.writeStartObject();
    }

    @Override
    public void beginColumn(int column) {
        json.writeName(names[column]);
    }

    @Override
    public void endRow() {
        json.writeEndObject();
        if (frame == Frame.LINES) {
            json.writeRaw('\n');
        }
    }

    @Override
    public void end() {
        if (frame == Frame.ARRAY) {
            json.writeEndArray();
        }
        json.close();
    }

    @Override
    public void writeNull() {
        json.writeNull();
    }

    @Override
    public void writeText(String text) {
        json.writeString(text);
    }

    @Override
    public void writeAscii(byte[] text) {
        json.writeUTF8String(text, 0, text.length);
    }

    /** Within a JSON value, a line break is white space. */
    @Override
    public void writeJson(String value) {
        json.writeRawValue(frame == Frame.LINES ? value.replace('\n', ' ').replace('\r', ' ') : value);
    }

    @Override
    public void writeBoolean(boolean value) {
        json.writeBoolean(value);
    }

    @Override
    public void writeInt(long value) {
        json.writeNumber(value);
    }

    @Override
    public void writeLong(long value) {
        if (numbersAsText) {
            json.writeString(Long.toString(value));
        } else {
            json.writeNumber(value);
        }
    }

    @Override
    public void writeFloat(float value) {
        json.writeNumber(value);
    }

    @Override
    public void writeDouble(double value) {
        json.writeNumber(value);
    }

    @Override
    public void writeDecimal(String number) {
        if (numbersAsText) {
            json.writeString(number);
        } else {
            json.writeNumber(number);
        }
    }

    @Override
    public void writeBinary(byte[] value) {
        json.writeBinary(value);
    }

    @Override
    public RowOutput beginArray() {
        json.writeStartArray();
        return this;
    }

    @Override
    public void endArray() {
        json.writeEndArray();
    }
}
