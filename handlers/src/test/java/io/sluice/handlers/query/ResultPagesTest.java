package io.sluice.handlers.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.Ticker;
import java.lang.reflect.Proxy;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultPagesTest {
    private final FetchSize sizes = new FetchSize(1 << 20, false, Ticker.newMockTicker());
    private final List<Object> asked = new ArrayList<>();
    private final ResultSet rows = (ResultSet) Proxy.newProxyInstance(getClass().getClassLoader(),
            new Class<?>[] {ResultSet.class}, (_, _, arguments) -> {
                asked.add(arguments[0]);
                return null;
            });

    @Test
    void aPageIsAtMostTwiceAsLargeAsTheOneBefore() throws SQLException {
        var pages = new ResultPages(sizes, 3000, false);

        read(pages, 150, 100);

        assertThat(asked).containsExactly(2, 4, 8, 16, 32, 64, 64);
        assertThat(pages.largest()).isEqualTo(64);
    }

    @Test
    void wideRowsMakeTheNextPageSmall() throws SQLException {
        sizes.learn(100, 1);
        var pages = new ResultPages(sizes, 3000, false);
        assertThat(pages.size()).isEqualTo(64);

        read(pages, 63, 100);
        read(pages, 2, 20_000);

        assertThat(asked).containsExactly(6);
    }

    @Test
    void rowsAloneStayAlone() throws SQLException {
        sizes.learn(100, 1);
        var pages = new ResultPages(sizes, 10, true);
        assertThat(pages.isWhole()).isFalse();

        read(pages, 3, 100);

        assertThat(asked).containsOnly(1);
        assertThat(pages.largest()).isEqualTo(1);
    }

    @Test
    void aResultOfOneRowIsNeverMoreThanThat() {
        sizes.learn(100, 1);
        var pages = new ResultPages(sizes, 1, false);

        assertThat(pages.isWhole()).isTrue();
        assertThat(pages.largest()).isEqualTo(1);
    }

    @Test
    void rowsThatAreFetchedSinglyMayFitAsAWhole() throws SQLException {
        var singly = new FetchSize(1 << 20, true, Ticker.newMockTicker());
        singly.learn(100, 1);
        var pages = new ResultPages(singly, 10, false);
        assertThat(pages.isWhole()).isTrue();
        assertThat(pages.size()).isEqualTo(1);

        read(pages, 3, 100);

        assertThat(asked).containsOnly(1);
    }

    @Test
    void aResultTeachesTheNextItsWidth() throws SQLException {
        var pages = new ResultPages(sizes, 100, false);
        read(pages, 3, 1000);
        pages.end();

        var next = new ResultPages(sizes, 100, false);
        assertThat(next.isWhole()).isTrue();
        assertThat(next.largest()).isEqualTo(100);
    }

    private void read(ResultPages pages, int count, long width) throws SQLException {
        for (int i = 0; i < count; i++) {
            pages.read(width, rows);
        }
    }
}
