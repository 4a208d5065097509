import { env } from "@/lib/platform/env/env"
import { regionSettings } from "@/lib/regions/settings"

/** Where the pages' commands hand mail over: the listener of this machine, under the name by which the browser came. */
export function listener() {
  return { host: new URL(env().baseUrl).hostname, port: regionSettings().inbound.port }
}
