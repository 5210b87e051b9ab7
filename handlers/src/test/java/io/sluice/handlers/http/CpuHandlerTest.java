package io.sluice.handlers.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuHandlerTest {

    @Test
    void knowsFibonacciNumbersAsFarAsALongDoes() {
        BigInteger before = BigInteger.ONE;
        BigInteger number = BigInteger.ZERO;
        for (int n = 0; n <= 90; n++) {
            assertThat(CpuHandler.fibonacci(n)).isEqualTo(number.longValueExact());
            BigInteger next = before.add(number);
            before = number;
            number = next;
        }
    }

    @Test
    void countsPrimesAsTheirDefinitionDoes() {
        int primes = 0;
        for (int n = 0; n < 2000; n++) {
            int candidate = n;
            if (n >= 2 && IntStream.range(2, n).noneMatch(divisor -> candidate % divisor == 0)) {
                primes++;
            }
            assertThat(CpuHandler.primesUpTo(n)).as("up to %d", n).isEqualTo(primes);
        }
    }

    @ParameterizedTest
    @CsvSource({"1000000, 78498", "10000000, 664579"})
    void countsManyPrimes(int n, long primes) {
        assertThat(CpuHandler.primesUpTo(n)).isEqualTo(primes);
    }
}
