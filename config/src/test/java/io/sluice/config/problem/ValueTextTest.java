package io.sluice.config.problem;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.config.HoconFile;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValueTextTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            redis://:s3/c@ret$@cache:6379                   | redis://***@cache:6379
            http://user:s3cret@shop weight=3                | http://***@shop weight=3
            user:s3cret@shop:80                             | user:***@shop:80
            jdbc:oracle:thin:user/s3cret@//shop:1521/x      | jdbc:oracle:thin:***@//shop:1521/x
            jdbc:mariadb://shop/db?user=a&password=s3cret   | jdbc:mariadb://shop/db?user=a&password=***
            jdbc:sqlserver://shop;user=a;password={s;3};x=1 | jdbc:sqlserver://shop;user=a;password=***;x=1
            UPDATE a SET b = :b WHERE c LIKE '%@%'          | UPDATE a SET b = :b WHERE c LIKE '%@%'
            /orders/{id}@:8                                 | /orders/{id}@:8
            """)
    void credentialsAreMasked(String text, String masked) {
        assertThat(ValueText.masked(text)).isEqualTo(masked);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "buses.redis.url = \"redis://:s3cret@cache:6379\"",
        "buses.redis.url = [\"redis://:s3cret@cache:6379\"]",
        "upstreams.x.endpoints = [\"http://user:s3cret@shop\"]",
        "upstreams.x.dns = \"http://user:s3cret@shop\"",
        "databases.x { urll = \"jdbc:postgresql://shop/db?user=a&password=s3cret\" }",
        "routes.x = ${missing} { url = \"http://user:s3cret@shop\" }",
        "databases.shop.url = \"jdbc:mariadb://shop/db?password=s3cret\", "
                + "sluice.routes.x { path = /x, handler = query, database = shop, sql = \"SELECT 1\""
                + ", methods = [POST], write.idempotency {} }",
    })
    void messagesShowNoPassword(String line) {
        assertThat(new HoconFile(directory).problemsOfSampleWith(line)).isNotEmpty()
                .noneMatch(problem -> problem.contains("s3cret"));
    }
}
