package io.sluice.gateway;

import static io.sluice.gateway.QuerySubject.ok;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Steps of a transaction on PostgreSQL, whose driver sends batches in its own way. */
interface PostgresSteps extends QuerySubject {

    /** PostgreSQL refuses two of a key in one INSERT, as which the driver sends a batch. */
    @Test
    default void elementsWithTheSameKeyAreUpsertedOneAfterAnother() throws Exception {
        assertThat(ok(gateway().post("/upserted-notes",
                "{\"notes\":[{\"text\":\"a\"},{\"text\":\"a\"},{\"text\":\"b\"}]}"))).isEqualTo("{\"n\":2}");
        assertThat(ok(gateway().get("/written"))).isEqualTo("[{\"note\":\"a\",\"version\":2,\"n\":0},"
                + "{\"note\":\"b\",\"version\":1,\"n\":0}]");
    }
}
