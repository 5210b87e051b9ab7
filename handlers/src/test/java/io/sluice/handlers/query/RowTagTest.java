package io.sluice.handlers.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.sluice.handlers.write.VersionTags;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RowTagTest {

    /** Suffixes are of a representation and of a coding. */
    @ParameterizedTest
    @ValueSource(strings = {"3", "a;csv", "a;gzip", "a;ndjson;exact;br", ";", "100%", "a+b, \"c\"", ""})
    void namesOneVersionWithAnySuffix(String version) {
        for (String suffix : new String[] {"", ";csv", ";ndjson", ";exact", ";ndjson;exact", ";csv;zstd"}) {
            var request = new DefaultHttpHeaders().add("If-Match", RowTag.of(version, suffix));
            assertThat(VersionTags.ifMatch(request).versions()).as(suffix).containsExactly(version);
        }
    }
}
