package com.example;

import io.sluice.config.FilterConfig;
import io.sluice.config.type.HeaderName;

/** The configuration of a route's filter {@code served-by}. */
public record ServedBy(HeaderName header, String site) implements FilterConfig {
}
