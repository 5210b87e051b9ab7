/** What publishes to topics beside WebSockets: requests, and the sources that follow a database. */
package io.sluice.handlers.publish;
