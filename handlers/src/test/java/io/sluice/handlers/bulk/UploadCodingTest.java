package io.sluice.handlers.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.junit.jupiter.api.Test;

class UploadCodingTest {
    private final ByteArrayOutputStream coded = new ByteArrayOutputStream();

    private void addMember(String text) throws IOException {
        try (var out = new GZIPOutputStream(coded)) {
            out.write(text.getBytes(UTF_8));
        }
    }

    private String decoded() throws IOException {
        try (InputStream in = UploadCoding.GZIP.decoded(new ByteArrayInputStream(coded.toByteArray()), 100)) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    @Test
    void gzipMayHaveSeveralMembers() throws IOException {
        for (String text : new String[] {"", "a", "", "", "", "b", ""}) {
            addMember(text);
        }

        assertThat(decoded()).isEqualTo("ab");
    }

    /** The JDK's stream calls itself at the end of a member, so many empty ones would overflow the stack. */
    @Test
    void emptyMembersOfGzipAreBounded() throws IOException {
        for (int i = 0; i < 50_000; i++) {
            addMember("");
        }

        assertThatThrownBy(this::decoded).isInstanceOf(ZipException.class);
    }
}
