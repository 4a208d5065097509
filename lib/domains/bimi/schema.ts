import { z } from "zod"
import { problem } from "@/lib/platform/http/problem"
import { urlText } from "@/lib/platform/schema"

export const bimiLogoMissing = problem(
  "domain.bimi_logo_not_found",
  404,
  "BIMI logo not found",
  "The domain has no BIMI logo. Set one with `PATCH …/bimi`.",
)

const address = urlText(2_048, { error: "Must be a URL, such as https://example.com/logo.svg." })

export const BimiChange = z
  .strictObject({
    logoUrl: address.nullish().describe("An https URL of an SVG Tiny PS. Null removes the logo and its certificate."),
    vmcUrl: address.nullish().describe("An https URL of the mark certificate (VMC or CMC) as PEM. Null removes it."),
  })
  .meta({ id: "UpdateBimiRequest" })

export const BimiState = z
  .strictObject({
    status: z.string().describe("`pending`, `verified`, `failed` or `not_configured`."),
    logoUrl: z.string().optional(),
    vmcUrl: z.string().optional(),
    warnings: z.array(z.string()).describe("Allowed properties of the logo that may display badly."),
    gates: z
      .array(
        z.strictObject({
          code: z.enum(["dmarc-domain", "dmarc-organization", "certificate"]),
          outcome: z.enum(["passed", "failed", "unknown", "optional"]).describe("`unknown`: a lookup failed."),
          message: z.string(),
          fix: z.string().optional(),
        }),
      )
      .describe("Further requirements of mail programs for showing the logo, looked up now."),
  })
  .meta({ id: "BimiState" })

export type BimiState = z.output<typeof BimiState>
