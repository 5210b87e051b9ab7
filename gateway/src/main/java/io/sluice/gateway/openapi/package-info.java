/** An OpenAPI 3.1 document of the routes, and a page that shows it. */
package io.sluice.gateway.openapi;
