/** Emitted from the route files of the API when the web server is bundled: see lib/cli/launch.mjs. */
declare module "mailroom:api-routes" {
  export const apiRoutes: import("@/lib/server/web/direct-api").Routes
}
