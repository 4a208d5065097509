import { z } from "zod"
import { parseUrl } from "@/lib/platform/url-rules"

const urlCharsMax = 2_048

export const ImageUrl = z
  .strictObject({
    url: z
      .url({ protocol: /^https$/, hostname: /./, error: "Must be an https URL." })
      .max(urlCharsMax, `Must be at most ${urlCharsMax} characters.`)
      .refine((text) => !hasCredentials(text), "Must not hold a user name or password.")
      .describe("Absolute, https. It is never fetched."),
  })
  .meta({ id: "SetImageUrlBody" })

function hasCredentials(text: string): boolean {
  const { username = "", password = "" } = parseUrl(text) ?? {}
  return username !== "" || password !== ""
}
