import { env } from "@/lib/platform/env/env"

/** For the commands that pages show: where the API is, and an address that harms nobody. */
export function sending() {
  const { baseUrl, regions, serviceDomain } = env()
  const captured = Object.values(regions).every(({ transport }) => transport === "sandbox")
  return { baseUrl, recipient: captured ? "ada@example.test" : `delivered@simulator.${serviceDomain}` }
}
