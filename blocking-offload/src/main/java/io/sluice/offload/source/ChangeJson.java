package io.sluice.offload.source;

import java.io.ByteArrayOutputStream;
import java.util.Locale;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Writes changes as JSON: {@code op}, {@code table}, the {@code key} of the row before an update or a delete,
 * and the {@code row} after an insert or an update. Large columns that an update did not change, and that are
 * not in the log, are not in {@code row} but named in {@code unchanged}.
 */
final class ChangeJson {

    private ChangeJson() {
    }

    /** Returns a change as UTF-8. */
    static byte[] of(RowChange change) {
        Relation relation = change.relation();
        ByteArrayOutputStream json = begin(change.kind().name().toLowerCase(Locale.ROOT), relation);
        RowValues before = change.before();
        RowValues after = change.after();
        RowValues key = before == null ? after : before;
        if (change.kind() != LogMessage.Kind.INSERT && key != null) {
            member(json, "key");
            object(json, relation, key, null, i -> relation.columns().get(i).key() && !key.isUnchanged(i));
        }
        if (after != null) {
            member(json, "row");
            object(json, relation, after, before, i -> !isUnknown(after, before, i));
            unchanged(json, relation, after, before);
        }
        json.write('}');
        return json.toByteArray();
    }

    /** Returns the truncation of a table as UTF-8. */
    static byte[] ofTruncate(Relation relation) {
        ByteArrayOutputStream json = begin("truncate", relation);
        json.write('}');
        return json.toByteArray();
    }

    private static ByteArrayOutputStream begin(String op, Relation relation) {
        var json = new ByteArrayOutputStream(256);
        json.write('{');
        JsonText.string(json, "op");
        json.write(':');
        JsonText.string(json, op);
        member(json, "table");
        JsonText.string(json, relation.table().toString());
        return json;
    }

    private static void member(ByteArrayOutputStream json, String name) {
        json.write(',');
        JsonText.string(json, name);
        json.write(':');
    }

    private static void object(ByteArrayOutputStream json, Relation relation, RowValues row,
                               @Nullable RowValues before, IntPredicate columns) {
        json.write('{');
        boolean first = true;
        for (int i = 0; i < relation.columns().size(); i++) {
            if (columns.test(i)) {
                if (!first) {
                    json.write(',');
                }
                first = false;
                JsonText.string(json, relation.columns().get(i).name());
                json.write(':');
                byte[] value = value(row, before, i);
                if (value == null) {
                    JsonText.writeNull(json);
                } else {
                    JsonText.write(json, relation.columns().get(i).type(), value);
                }
            }
        }
        json.write('}');
    }

    private static void unchanged(ByteArrayOutputStream json, Relation relation, RowValues after,
                                  @Nullable RowValues before) {
        boolean first = true;
        for (int i = 0; i < relation.columns().size(); i++) {
            if (isUnknown(after, before, i)) {
                if (first) {
                    member(json, "unchanged");
                }
                json.write(first ? '[' : ',');
                first = false;
                JsonText.string(json, relation.columns().get(i).name());
            }
        }
        if (!first) {
            json.write(']');
        }
    }

    /** Returns whether a change does not have a value, as it is large and has not changed. */
    static boolean isUnknown(RowValues after, @Nullable RowValues before, int column) {
        return after.isUnchanged(column)
                && (before == null || before.isUnchanged(column) || before.get(column) == null);
    }

    /** Returns a column's value: that of {@code before} if {@code row} leaves it out as unchanged. */
    static byte @Nullable [] value(RowValues row, @Nullable RowValues before, int column) {
        return row.isUnchanged(column) && before != null ? before.get(column) : row.get(column);
    }
}
