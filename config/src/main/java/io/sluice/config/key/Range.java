package io.sluice.config.key;

import io.sluice.config.type.ByteSize;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The allowed values of a record component, both ends included: of a number, a {@link ByteSize} in bytes, a
 * {@link java.time.Duration} in milliseconds, or the length of a list.
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
