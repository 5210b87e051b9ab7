package io.sluice.handlers.rows;

import java.io.IOException;

/**
 * Writes rows in the syntax of a representation, column by column, to a stream. Confined to its worker. Its
 * methods throw if the stream does.
 */
public interface RowOutput {

    /** Begins a row. */
    void beginRow() throws IOException;

    /** Begins a column, counted from 0; its value follows. */
    void beginColumn(int column) throws IOException;

    /** Ends a row. */
    void endRow() throws IOException;

    /** Ends the rows and closes the stream. */
    void end() throws IOException;

    /** Writes NULL. */
    void writeNull() throws IOException;

    /** Writes a text. */
    void writeText(String text) throws IOException;

    /** Writes a text of ASCII characters. */
    void writeAscii(byte[] text) throws IOException;

    /** Writes a JSON value as it is. */
    void writeJson(String json) throws IOException;

    /** Writes a truth value. */
    void writeBoolean(boolean value) throws IOException;

    /** Writes a number of at most 32 bits, which every client represents exactly. */
    void writeInt(long value) throws IOException;

    /** Writes a number of 64 bits. */
    void writeLong(long value) throws IOException;

    /** Writes a number; not by way of a double, in which 0.1 would become 0.10000000149011612. */
    void writeFloat(float value) throws IOException;

    /** Writes a number. */
    void writeDouble(double value) throws IOException;

    /** Writes a decimal number of any precision, in the syntax of JSON. */
    void writeDecimal(String number) throws IOException;

    /** Writes bytes. */
    void writeBinary(byte[] value) throws IOException;

    /** Begins an array, and returns the output of its elements. */
    RowOutput beginArray() throws IOException;

    /** Ends the array. */
    void endArray() throws IOException;
}
