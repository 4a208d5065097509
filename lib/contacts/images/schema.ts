import { z } from "zod"
import { problem } from "@/lib/platform/http/problem"
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

export const imageTooLarge = problem("image.too_large", 413, "Image too large", "A profile image may hold 5 MiB.")
export const imageTypeUnsupported = problem(
  "image.unsupported_type",
  400,
  "Image type not supported",
  "A profile image is a JPEG, PNG, WebP or GIF. The first bytes of the file decide, not its name.",
)
export const imageUnusable = problem(
  "image.unusable",
  400,
  "Image cannot be used",
  "The file is damaged or cut short, or it has more than 25 million pixels over all frames, or more than 256 frames.",
)
