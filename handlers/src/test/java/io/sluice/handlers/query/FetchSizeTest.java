package io.sluice.handlers.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FetchSizeTest {
    private static final int BOUND = 1 << 20;

    private final MockTicker clock = Ticker.newMockTicker();
    private final FetchSize size = new FetchSize(BOUND, false, clock);

    @Test
    void unknownRowsComeAlone() {
        assertThat(size.rows(0)).isEqualTo(1);
        assertThat(size.fits(1)).isTrue();
        assertThat(size.fits(2)).isFalse();
    }

    @Test
    void narrowRowsComeTogetherAndWithoutACursorWhereAllFit() {
        size.learn(128, 1);

        assertThat(size.rows(0)).isEqualTo(FetchSize.PAGE_ROWS);
        assertThat(size.fits(1024)).isTrue();
        assertThat(size.fits(1025)).isFalse();
    }

    @Test
    void thereIsRoomForRowsEightTimesAsWideAsTheWidest() {
        size.learn(4096, 1);

        assertThat(size.rows(0)).isEqualTo(BOUND / 8 / 4096);
        assertThat(size.rows(8192)).isEqualTo(BOUND / 8 / 8192);
        assertThat(size.rows(BOUND)).isEqualTo(1);
        assertThat(size.fits(33)).isFalse();
    }

    @Test
    void aWideRowIsRememberedForAWhile() {
        size.learn(100_000, 1);
        size.learn(100, 1);
        assertThat(size.rows(0)).isEqualTo(1);
        for (int i = 0; i < 1000; i++) {
            size.learn(100, 1);
        }
        assertThat(size.rows(0)).isEqualTo(FetchSize.PAGE_ROWS);
    }

    @Test
    void rowsThatDidNotFitComeAloneForAWhile() {
        size.learn(100, 1);
        size.exceeded();
        size.learn(100, 1);

        assertThat(size.rows(0)).isEqualTo(1);
        assertThat(size.fits(500)).isFalse();
        clock.advance(10, TimeUnit.SECONDS);
        assertThat(size.rows(0)).isEqualTo(FetchSize.PAGE_ROWS);
        assertThat(size.fits(500)).isTrue();
    }

    @Test
    void manyNarrowRowsMakeLongPages() {
        size.learn(100, FetchSize.MANY_ROWS - 1);
        assertThat(size.rows(0)).isEqualTo(FetchSize.PAGE_ROWS);
        size.learn(100, 1);
        assertThat(size.rows(0)).isEqualTo(FetchSize.LONG_PAGE_ROWS);

        size.learn(BOUND / FetchSize.LONG_PAGE_ROWS + 1, 1);
        assertThat(size.rows(100)).isLessThanOrEqualTo(FetchSize.PAGE_ROWS);
        for (int i = 0; i < 1000; i++) {
            size.learn(100, 1);
        }
        assertThat(size.rows(0)).isEqualTo(FetchSize.PAGE_ROWS);
    }

    @Test
    void aQueryWithoutRowsTeachesNothing() {
        size.learn(0, 1);

        assertThat(size.rows(0)).isEqualTo(1);
    }
}
