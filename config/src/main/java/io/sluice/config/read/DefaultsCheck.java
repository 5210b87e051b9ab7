package io.sluice.config.read;

import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import io.sluice.config.problem.ConfigProblems;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Checks the {@code …-defaults} themselves: a mistake in one is found even if no entry uses it. */
record DefaultsCheck(DefaultSections defaults, ConfigBinder binder, ConfigProblems problems) {

    void check(String root) {
        defaults.kinds().forEach((path, kinds) -> checkKinds(defaults.at(path), root + '.' + path, kinds));
        defaults.records().forEach((path, records) ->
                inspect(defaults.at(path), root + '.' + path, records));
    }

    private void checkKinds(@Nullable ConfigValue written, String path, Map<String, Class<?>> kinds) {
        requireObject(written, path);
        Hocon.object(written).forEach((kind, value) -> {
            if (!kinds.containsKey(kind)) {
                problems.unknown(value, path, kind, "handler", kinds.keySet());
            }
        });
    }

    private void inspect(@Nullable ConfigValue written, String path, List<Class<?>> records) {
        requireObject(written, path);
        binder.inspect(Hocon.object(written), path, records);
    }

    private void requireObject(@Nullable ConfigValue written, String path) {
        if (written != null && !(written instanceof ConfigObject)) {
            problems.wrong(written, path, ConfigProblems.OBJECT);
        }
    }
}
