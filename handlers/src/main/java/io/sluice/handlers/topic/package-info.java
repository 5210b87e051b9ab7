/**
 * Topics: {@link io.sluice.handlers.topic.Topics} is the hub that routes share. A message is passed to each
 * event loop once, and each loop delivers it to its own subscribers.
 */
package io.sluice.handlers.topic;
