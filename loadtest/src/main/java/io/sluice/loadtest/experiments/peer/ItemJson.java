package io.sluice.loadtest.experiments.peer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/** Items as JSON, and orders from JSON, by Jackson's generator and parser. */
final class ItemJson {

    /** Leaves it to servers when to flush and close their streams. */
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
            .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
            .build();

    private ItemJson() {}

    /** Writes all rows as an array of objects in UTF-8. */
    static void write(ResultSet rows, OutputStream out) throws SQLException {
        try (var json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartArray();
            while (rows.next()) {
                json.writeStartObject();
                json.writeName("id");
                json.writeNumber(rows.getLong(1));
                json.writeName("name");
                json.writeString(rows.getString(2));
                json.writeName("price");
                json.writeNumber(rows.getBigDecimal(3));
                json.writeEndObject();
            }
            json.writeEndArray();
        }
    }

    /**
     * Reads {@code {"item": 7, "quantity": 2}}.
     *
     * @throws IOException if a member is missing; Jackson's exceptions if it is no such JSON
     */
    static Order order(InputStream in) throws IOException {
        Long item = null;
        Integer quantity = null;
        try (var json = FACTORY.createParser(ObjectReadContext.empty(), in)) {
            json.nextToken();
            for (var name = json.nextName(); name != null; name = json.nextName()) {
                json.nextToken();
                switch (name) {
                    case "item" -> item = json.getLongValue();
                    case "quantity" -> quantity = json.getIntValue();
                    default -> json.skipChildren();
                }
            }
            if (!json.hasToken(JsonToken.END_OBJECT) || item == null || quantity == null) {
                throw new IOException("order without item and quantity");
            }
        }
        return new Order(item, quantity);
    }
}
