/** Publishers to topics besides WebSockets: requests, and sources that follow a database. */
package io.sluice.handlers.publish;
