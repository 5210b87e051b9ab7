package io.sluice.offload.source;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Converts an array in PostgreSQL's text format to JSON: <code>{1,NULL}</code>,
 * <code>{{"a b",c},{d,e}}</code>, or <code>[0:1]={1,2}</code> if its indexes do not begin with 1.
 */
final class ArrayText {
    private final byte[] text;
    private final int elementType;
    private final ByteArrayOutputStream json;
    private int at;

    private ArrayText(byte[] text, int elementType, ByteArrayOutputStream json) {
        this.text = text;
        this.elementType = elementType;
        this.json = json;
    }

    /**
     * Writes an array.
     *
     * @param elementType the number of the elements' type (OID)
     */
    static void write(ByteArrayOutputStream json, int elementType, byte[] value) {
        var array = new ArrayText(value, elementType, json);
        while (value[array.at] != '{') {
            array.at++; // the range of its indexes
        }
        array.array();
    }

    private void array() {
        at++; // {
        json.write('[');
        boolean first = true;
        while (text[at] != '}') {
            if (!first) {
                at++; // ,
                json.write(',');
            }
            first = false;
            if (text[at] == '{') {
                array();
            } else {
                element();
            }
        }
        at++; // }
        json.write(']');
    }

    private void element() {
        boolean quoted = text[at] == '"';
        var value = new ByteArrayOutputStream();
        if (quoted) {
            at++;
        }
        while (quoted ? text[at] != '"' : text[at] != ',' && text[at] != '}') {
            if (text[at] == '\\') {
                at++;
            }
            value.write(text[at++]);
        }
        if (quoted) {
            at++;
        }
        if (!quoted && value.toString(StandardCharsets.UTF_8).equals("NULL")) {
            JsonText.writeNull(json);
        } else {
            JsonText.write(json, elementType, value.toByteArray());
        }
    }
}
