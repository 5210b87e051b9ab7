/** Rights of callers to topics: {@link io.sluice.handlers.rights.TopicRights}, by patterns of topics. */
package io.sluice.handlers.rights;
