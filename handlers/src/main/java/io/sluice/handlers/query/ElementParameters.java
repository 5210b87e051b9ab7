package io.sluice.handlers.query;

import io.sluice.handlers.HttpException;
import io.sluice.handlers.Mistake;
import io.sluice.handlers.json.MemberValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of the objects in an array of the body, for each of which a step runs.
 *
 * @param index the number of the array's value
 * @param names those of the values of an object, in order, as statements have them
 */
record ElementParameters(String name, int index, List<QueryParameter> members, List<String> names) {

    /** Reads the parameters of each object. */
    void read(@Nullable MemberValue value, QueryArguments arguments) {
        switch (value) {
            case MemberValue.Each(List<@Nullable Map<String, MemberValue>> objects) ->
                    readEach(objects, arguments);
            case MemberValue.None.MISTAKEN -> { }
            case null, default -> arguments.mistakes().add(Mistake.ofMember(name,
                    Mistake.unexpected("missing", "an array of objects")));
        }
    }

    /** Reads elements until there are more mistakes than a response tells. */
    private void readEach(List<@Nullable Map<String, MemberValue>> objects, QueryArguments arguments) {
        var elements = new ArrayList<@Nullable Object[]>(objects.size());
        for (int i = 0; i < objects.size()
                && arguments.mistakes().size() < HttpException.MAX_MISTAKES; i++) {
            Map<String, MemberValue> object = objects.get(i);
            if (object == null) {
                continue; // is among the mistakes
            }
            var element = new QueryArguments(names.size());
            element.members(members, object);
            for (Mistake mistake : element.mistakes()) {
                arguments.mistakes().add(mistake.within(name, i));
            }
            arguments.addTo(elements, element);
        }
        arguments.each(index, elements);
    }
}
