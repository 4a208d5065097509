import { env } from "@/lib/platform/env/env"
import { regionSettings } from "@/lib/regions/settings"

/** For the commands that pages show: the API's origin, and a recipient that is safe to send to. */
export function sending() {
  const { baseUrl, serviceDomain } = env()
  const captured = Object.values(regionSettings().profiles).every(({ transport }) => transport === "sandbox")
  return { baseUrl, recipient: captured ? "ada@example.test" : `delivered@simulator.${serviceDomain}` }
}
