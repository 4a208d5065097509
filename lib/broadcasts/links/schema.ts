import { z } from "zod"
import { int32 } from "@/lib/platform/schema"

/** People whose clicks are counted, and links that are listed. */
export const clickersMax = 10_000
export const listedLinksMax = 100

export const BroadcastLinks = z
  .strictObject({
    data: z
      .array(
        z
          .strictObject({
            url: z.string().describe("As it was in the email."),
            clicks: int32.describe("By people."),
            people: int32.describe("Who clicked it, each counted once."),
          })
          .meta({ id: "BroadcastLink" }),
      )
      .describe(`The ${listedLinksMax} links with the most people, most first.`),
    complete: z.boolean().describe(`Whether all clicks are counted; at most the first ${clickersMax} people are.`),
  })
  .meta({ id: "BroadcastLinksResponse" })
export type BroadcastLinks = z.output<typeof BroadcastLinks>
