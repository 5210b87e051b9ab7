package com.example;

import io.sluice.handlers.Filter;
import io.sluice.handlers.FilterProvider;
import io.sluice.handlers.PluginContext;

/** Adds a header with the site's name to each answer. */
public final class ServedByProvider implements FilterProvider<ServedBy> {

    @Override
    public Class<ServedBy> config() {
        return ServedBy.class;
    }

    @Override
    public Filter create(ServedBy config, PluginContext context) {
        String header = config.header().toString();
        return next -> exchange -> {
            exchange.onResponse(answer -> answer.headers().set(header, config.site()));
            next.handle(exchange);
        };
    }
}
