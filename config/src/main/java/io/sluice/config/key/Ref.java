package io.sluice.config.key;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a record component that is the name of an entry in another section, or a set of such names. */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
public @interface Ref {
    /** The path of the other section below {@code sluice}, such as {@code offload.pools}. */
    String value();
}
