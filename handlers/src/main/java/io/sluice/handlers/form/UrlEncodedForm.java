package io.sluice.handlers.form;

import java.util.ArrayList;
import java.util.List;

/**
 * Reads forms of the type {@code application/x-www-form-urlencoded} (URL Standard section 5.1), except for
 * malformed escapes, which are refused and not taken literally.
 */
final class UrlEncodedForm {
    private final byte[] body;
    private final byte[] decoded;
    private final List<FormField> fields = new ArrayList<>();

    private UrlEncodedForm(byte[] body) {
        this.body = body;
        decoded = new byte[body.length];
    }

    static List<FormField> read(byte[] body) {
        var form = new UrlEncodedForm(body);
        int from = 0;
        for (int at = 0; at <= body.length; at++) {
            if (at == body.length || body[at] == '&') {
                form.add(from, at);
                from = at + 1;
            }
        }
        return form.fields;
    }

    private void add(int from, int to) {
        if (from == to) {
            return;
        }
        Form.requireFew(fields.size() + 1);
        int equals = from;
        while (equals < to && body[equals] != '=') {
            equals++;
        }
        fields.add(new FormField(text(from, equals), text(Math.min(equals + 1, to), to)));
    }

    private String text(int from, int to) {
        int length = 0;
        for (int at = from; at < to; at++) {
            byte next = body[at];
            if (next == '+') {
                next = ' ';
            } else if (next == '%') {
                next = escaped(at, to);
                at += 2;
            }
            decoded[length++] = next;
        }
        return FormText.of(decoded, 0, length);
    }

    private byte escaped(int at, int to) {
        int high = at + 2 < to ? Character.digit(body[at + 1], 16) : -1;
        int low = high < 0 ? -1 : Character.digit(body[at + 2], 16);
        if (low < 0) {
            throw FormText.refusal("a form with two hexadecimal digits behind each %");
        }
        return (byte) (high << 4 | low);
    }
}
