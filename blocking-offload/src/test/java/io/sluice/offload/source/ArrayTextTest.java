package io.sluice.offload.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ArrayTextTest {
    private static final int TEXT = 25;

    @Test
    void becomesJson() {
        assertThat(json("{}")).isEqualTo("[]");
        assertThat(json("{a,NULL,\"NULL\",null}")).isEqualTo("[\"a\",null,\"NULL\",\"null\"]");
        assertThat(json("{\"\",a b,ü}")).isEqualTo("[\"\",\"a b\",\"ü\"]");
        assertThat(json("{\"a,b\",\"{c}\",\"d\\\"e\\\\\"}")).isEqualTo("[\"a,b\",\"{c}\",\"d\\\"e\\\\\"]");
        assertThat(json("{{a,b},{c,d}}")).isEqualTo("[[\"a\",\"b\"],[\"c\",\"d\"]]");
        assertThat(json("[2:2][0:1]={{a,b}}")).isEqualTo("[[\"a\",\"b\"]]");
    }

    private static String json(String array) {
        var written = new ByteArrayOutputStream();
        ArrayText.write(written, TEXT, array.getBytes(StandardCharsets.UTF_8));
        return written.toString(StandardCharsets.UTF_8);
    }
}
