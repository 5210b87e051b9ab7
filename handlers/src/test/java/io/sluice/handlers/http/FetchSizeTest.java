package io.sluice.handlers.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FetchSizeTest {
    private static final int BOUND = 1 << 20;

    private final FetchSize size = new FetchSize(BOUND);

    @Test
    void unknownRowsComeAlone() {
        assertThat(size.rows()).isEqualTo(1);
        assertThat(size.fits(1)).isTrue();
        assertThat(size.fits(2)).isFalse();
    }

    @Test
    void narrowRowsComeTogetherAndWithoutACursorWhereAllFit() {
        size.learn(200);

        assertThat(size.rows()).isEqualTo(500);
        assertThat(size.fits(500)).isTrue();
        assertThat(size.fits(501)).isFalse();
    }

    @Test
    void thereIsRoomForRowsEightTimesAsWideAsTheWidest() {
        size.learn(1024);

        assertThat(size.rows()).isEqualTo(BOUND / 8 / 1024);
        assertThat(size.rows(2048)).isEqualTo(BOUND / 8 / 2048);
        assertThat(size.rows(BOUND)).isEqualTo(1);
        assertThat(size.fits(129)).isFalse();
    }

    @Test
    void aWideRowIsRememberedForAWhile() {
        size.learn(100_000);
        size.learn(100);
        assertThat(size.rows()).isEqualTo(1);
        for (int i = 0; i < 1000; i++) {
            size.learn(100);
        }
        assertThat(size.rows()).isEqualTo(500);
    }

    @Test
    void rowsThatDidNotFitComeAloneNext() {
        size.learn(100);
        size.exceeded();

        assertThat(size.rows()).isEqualTo(1);
        assertThat(size.fits(500)).isFalse();
    }

    @Test
    void aQueryWithoutRowsTeachesNothing() {
        size.learn(0);

        assertThat(size.rows()).isEqualTo(1);
    }
}
