package io.sluice.offload.source;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the messages of pgoutput, version 1 of its protocol ("Logical Replication Message Formats" in
 * PostgreSQL's manual). One for each connection, as it knows the tables that were announced there.
 */
final class PgOutput {
    private final Map<Integer, Relation> relations = new HashMap<>();
    /** Numbers (OIDs) of domains to those of the types below them. */
    private final Map<Integer, Integer> domains = new HashMap<>();

    /**
     * Returns a message.
     *
     * @throws IllegalStateException if it is not one of this protocol
     */
    LogMessage read(ByteBuffer in) {
        char type = (char) in.get();
        return switch (type) {
            case 'B' -> new LogMessage.Begin(in.getLong(), in.getLong());
            case 'C' -> {
                in.position(in.position() + Byte.BYTES + Long.BYTES); // flags, and where the commit begins
                yield new LogMessage.Commit(in.getLong());
            }
            case 'R' -> {
                relations.put(in.getInt(), relation(in));
                yield new LogMessage.Other();
            }
            case 'I' -> new LogMessage.Change(LogMessage.Kind.INSERT, known(in), in);
            case 'U' -> new LogMessage.Change(LogMessage.Kind.UPDATE, known(in), in);
            case 'D' -> new LogMessage.Change(LogMessage.Kind.DELETE, known(in), in);
            case 'T' -> truncate(in);
            case 'Y' -> {
                type(in);
                yield new LogMessage.Other();
            }
            case 'O', 'M' -> new LogMessage.Other(); // origin, and a message for other consumers
            default -> throw new IllegalStateException(
                    "message " + type + " of pgoutput (expected: version 1)");
        };
    }

    /** Notes a type of a table's column that is not PostgreSQL's own: for a domain, it names that below. */
    private void type(ByteBuffer in) {
        int number = in.getInt();
        if (text(in).isEmpty()) { // in the schema pg_catalog
            domains.put(number, PgType.number(text(in)));
        }
    }

    private Relation relation(ByteBuffer in) {
        String schema = text(in);
        String name = text(in);
        in.get(); // its kind of replica identity
        var columns = new ArrayList<Relation.Column>();
        for (int left = in.getShort(); left > 0; left--) {
            boolean key = (in.get() & 1) != 0;
            String column = text(in);
            int type = in.getInt();
            columns.add(new Relation.Column(column, domains.getOrDefault(type, type), key));
            in.getInt(); // the type's modifier
        }
        return new Relation(schema.isEmpty() ? "pg_catalog" : schema, name, List.copyOf(columns));
    }

    private Relation known(ByteBuffer in) {
        int number = in.getInt();
        Relation relation = relations.get(number);
        if (relation == null) {
            throw new IllegalStateException("table %d of pgoutput (expected: one announced before)"
                    .formatted(number));
        }
        return relation;
    }

    private LogMessage truncate(ByteBuffer in) {
        int number = in.getInt();
        in.get(); // its options
        var truncated = new ArrayList<Relation>();
        for (int i = 0; i < number; i++) {
            truncated.add(known(in));
        }
        return new LogMessage.Truncate(truncated);
    }

    /** Returns the values of a change. Called once for each. */
    static RowChange row(LogMessage.Change change) {
        ByteBuffer in = change.values();
        RowValues before = null;
        if (in.get() != 'N') { // K or O: first the key, or the whole row, before the change
            before = values(in);
        }
        boolean replaced = change.kind() != LogMessage.Kind.DELETE;
        if (replaced && before != null) {
            in.get(); // N
        }
        return new RowChange(change.kind(), change.relation(), before, replaced ? values(in) : null);
    }

    private static RowValues values(ByteBuffer in) {
        var values = new byte[in.getShort()] @Nullable [];
        for (int i = 0; i < values.length; i++) {
            values[i] = switch ((char) in.get()) {
                case 'n' -> null;
                case 'u' -> RowValues.UNCHANGED;
                default -> {
                    var value = new byte[in.getInt()];
                    in.get(value);
                    yield value;
                }
            };
        }
        return new RowValues(values);
    }

    /** Returns a text that ends with a zero. */
    private static String text(ByteBuffer in) {
        int begin = in.position();
        int length = 0;
        while (in.get() != 0) {
            length++;
        }
        var bytes = new byte[length];
        in.get(begin, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
