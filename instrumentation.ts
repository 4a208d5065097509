import { warmUp } from "@/lib/platform/database/db"

/** Loads Prisma at the start of a web process, in Next's own bundle, so that the first request does not wait for it. */
export function register() {
  void warmUp()
}
