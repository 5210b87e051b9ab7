package io.sluice.handlers.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.sluice.handlers.HttpException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowReaderTest {

    /** Reads from a stream that gives a byte at a time. */
    private static List<String> rows(String body, boolean lines) throws IOException {
        var rows = new ArrayList<String>();
        InputStream slow = new ByteArrayInputStream(body.getBytes(UTF_8)) {
            @Override
            public int read(byte[] bytes, int offset, int length) {
                return super.read(bytes, offset, 1);
            }
        };
        var reader = new RowReader(slow, lines);
        for (ByteBuf row = reader.next(); row != null; row = reader.next()) {
            rows.add(row.toString(UTF_8).strip());
        }
        assertThat(reader.next()).isNull();
        return rows;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
        "[] | ~~", " [ ] | ~~", "[1] | 1", "[1 , 2] | 1^2", "[{`a`:[{`b`:[]},2]},{}] | {`a`:[{`b`:[]},2]}^{}",
        "[`,`,`]`,`[{`] | `,`^`]`^`[{`", "[`\\``,`\\\\`,`\\\\\\`,`] | `\\``^`\\\\`^`\\\\\\`,`", "[,] | ^",
        "[1,] | 1^", "[ü] | ü", "\uFEFF[1] | 1",
    })
    void elementsOfAnArrayAreRows(String body, String rows) throws IOException {
        assertThat(String.join("^", rows(body.replace('`', '"'), false))).isEqualTo(rows.replace('`', '"'));
    }

    @Test
    void linesThatAreNotBlankAreRows() throws IOException {
        assertThat(rows("\n{}\r\n  \n[1\n]", true)).containsExactly("{}", "[1", "]");
        assertThat(rows("", true)).isEmpty();
        assertThat(rows(" \n ", true)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', value = {"``", "{", "1", "[", "[1", "`[1,`",
        "[1]]", "[1]x", "[\"]", "[{]", "[}]"})
    void bodiesOtherThanAnArrayAreRefused(String body) {
        assertThatThrownBy(() -> rows(body, false)).isInstanceOf(HttpException.class)
                .hasMessage("body (expected: a JSON array of objects, whole)");
    }

    @Test
    void aRowHasAMegabyteAtMost() throws IOException {
        assertThat(rows("x".repeat(1 << 20), true)).hasSize(1);
        assertThatThrownBy(() -> rows("x".repeat((1 << 20) + 1), true))
                .hasMessage("body (expected: rows of at most 1048576 bytes)");
    }
}
