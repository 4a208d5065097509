import { z } from "zod"
import { foundKinds } from "@/lib/search/rules"

const FoundByName = z
  .strictObject({
    kind: z.enum(foundKinds),
    id: z.string(),
    name: z.string().describe("Of a broadcast, its subject."),
    status: z
      .string()
      .optional()
      .describe("Of a broadcast, its status; of an API key, `live`, `expired` or `revoked`."),
  })
  .meta({ id: "FoundByName" })

export type FoundByName = z.output<typeof FoundByName>

export const FoundByNameList = z.strictObject({ data: z.array(FoundByName) }).meta({ id: "FoundByNameList" })
