import { guard } from "@/lib/access/guard"
import { recordRequest } from "@/lib/api-keys/usage"
import { systemIo } from "@/lib/platform/io"
import { createServe } from "@/lib/platform/serve"

/** Turns operations into the route handlers of their path, behind the guard of the API. */
export const serve = createServe({ ...guard, answered: recordRequest }, systemIo)
