/** Publishers to topics beside WebSockets: requests, and sources that follow a database. */
package io.sluice.handlers.publish;
