package io.sluice.config;

import io.sluice.config.type.ByteSize;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The values a record component may have, both ends included: a number itself, a {@link ByteSize}
 * in bytes, a {@link java.time.Duration} in milliseconds, the length of a list.
 */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Range {
    long MIB = 1L << 20;
    long GIB = 1L << 30;
    long HOUR = 3_600_000;
    long DAY = 24 * HOUR;

    long min() default 0;

    long max();
}
