package io.sluice.config.type;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseUrlTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            jdbc:postgresql://me:hunter2@db/shop         | jdbc:postgresql://***@db/shop
            jdbc:postgresql://me:hunt@er/2@db/shop       | jdbc:postgresql://***@db/shop
            jdbc:postgresql://db/shop?user=me&password=hunter2&ssl=true \
            | jdbc:postgresql://db/shop?user=me&password=***&ssl=true
            jdbc:postgresql://db/shop?sslpassword=hunter2;,| jdbc:postgresql://db/shop?sslpassword=***
            jdbc:h2:mem:shop;USER=me;PASSWORD=hunter2    | jdbc:h2:mem:shop;USER=me;PASSWORD=***
            jdbc:sqlserver://db;password={hunt;er2};x=1  | jdbc:sqlserver://db;password=***;x=1
            jdbc:oracle:thin:me/hunter2@//db:1521/shop   | jdbc:oracle:thin:***@//db:1521/shop
            jdbc:mysql://me:hunter2@db/shop?accessToken=x | jdbc:mysql://***@db/shop?accessToken=***
            """)
    void hidesCredentials(String url, String shown) {
        assertThat(DatabaseUrl.parse(url)).hasToString(shown);
        assertThat(DatabaseUrl.parse(url).text()).isEqualTo(url);
    }

    @ParameterizedTest
    @ValueSource(strings = {"jdbc:postgresql://db:5432/shop?sslmode=require",
        "jdbc:h2:mem:x;DB_CLOSE_DELAY=-1", "jdbc:h2:./data/x", ""})
    void showsAnythingElse(String url) {
        assertThat(DatabaseUrl.parse(url)).hasToString(url);
    }
}
