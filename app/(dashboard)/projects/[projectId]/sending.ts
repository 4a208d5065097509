import { env } from "@/lib/platform/env/env"

/** For the commands that pages show: the API's origin, and a recipient that is safe to send to. */
export function sending() {
  const { baseUrl, regions, serviceDomain } = env()
  const captured = Object.values(regions).every(({ transport }) => transport === "sandbox")
  return { baseUrl, recipient: captured ? "ada@example.test" : `delivered@simulator.${serviceDomain}` }
}
