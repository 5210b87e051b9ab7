package io.sluice.handlers.presence;

import io.sluice.handlers.json.Json;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The members of a topic, as clients get them.
 *
 * @param version differs from that of any other state of the topic
 * @param named the number of members with a name
 * @param anonymous the number of subscriptions without one
 * @param members the names, as many as fit, those first that are there longest
 */
public record PresenceState(String version, int named, int anonymous, List<String> members) {

    private Map<String, Object> object() {
        var object = new LinkedHashMap<String, Object>();
        object.put("count", named + anonymous);
        object.put("anonymous", anonymous);
        object.put("members", members);
        object.put("truncated", members.size() < named);
        return object;
    }

    /** Returns the state as a JSON object. */
    byte[] json() {
        return Json.bytes(object());
    }

    /** Returns the state as a JSON object for subscribers, with what has changed in the list of members. */
    byte[] jsonSince(PresenceState before) {
        Map<String, Object> object = object();
        object.put("joined", without(members, before.members));
        object.put("left", without(before.members, members));
        return Json.bytes(Map.of("presence", object));
    }

    private static List<String> without(List<String> names, List<String> others) {
        Set<String> known = new HashSet<>(others);
        return names.stream().filter(name -> !known.contains(name)).toList();
    }
}
