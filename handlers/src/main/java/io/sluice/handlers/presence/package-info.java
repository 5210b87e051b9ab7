/**
 * Who is subscribed to topics: {@link io.sluice.handlers.presence.Presence} collects the comings and goings
 * of a gateway, and reports them to a {@link io.sluice.handlers.presence.Roster}, which knows those of
 * all.
 */
package io.sluice.handlers.presence;
