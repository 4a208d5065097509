import { z } from "zod"
import { int32, timestamp } from "@/lib/platform/schema"

/** UTF-16 units of pasted text. */
export const headerTextMax = 256 * 1024

const headerReadingCodes = [
  "passes",
  "no_headers",
  "no_verdict",
  "dkim_missing",
  "dkim_changed",
  "dkim_key",
  "dkim_failed",
  "dkim_other_domain",
  "spf_not_allowed",
  "spf_missing",
  "spf_invalid",
  "dmarc_not_aligned",
  "dmarc_missing",
  "dmarc_invalid",
  "dns_failed",
  "forwarded",
] as const
export type HeaderReadingCode = (typeof headerReadingCodes)[number]

export const NewHeaderReading = z
  .strictObject({
    headers: z
      .string()
      .min(1, "Paste the headers of the email.")
      .max(headerTextMax, `At most ${headerTextMax / 1024} KiB.`)
      .describe("The header of an email that was received, as text; the whole message will do, too."),
  })
  .meta({ id: "NewHeaderReading" })

const result = z
  .strictObject({
    method: z.string().describe("`spf`, `dkim`, `dmarc` or another one (RFC 8601 section 2.7)."),
    result: z.string().describe("`pass`, `fail`, `none`, `temperror` and so on."),
    aligned: z.boolean().describe("Whether it is about the domain of From, or one of the same organization."),
    domain: z.string().optional().describe("That it is about."),
    selector: z.string().optional().describe("Of the key, where the server names it."),
    address: z.string().optional().describe("The IP address that the email came from, where the server names it."),
    reason: z.string().optional().describe("In the words of the server."),
  })
  .meta({ id: "HeaderResult" })

const hop = z
  .strictObject({
    from: z.string().optional().describe("What the sending server called itself."),
    by: z.string().optional().describe("The server that took the email."),
    protocol: z.string().optional().describe("Such as `ESMTPS`, with TLS (RFC 3848)."),
    encrypted: z.boolean(),
    at: timestamp.optional(),
    seconds: int32.optional().describe("Since the server before."),
  })
  .meta({ id: "HeaderHop" })

export const HeaderReading = z
  .strictObject({
    code: z
      .enum(headerReadingCodes)
      .describe(
        "The first thing that is to be changed, `passes` if nothing is. `no_verdict`: the server that received it recorded no results. `forwarded`: it failed behind a server that forwarded it and had found it in order.",
      ),
    server: z.string().optional().describe("The server whose results these are."),
    from: z.string().optional().describe("The domain in From."),
    results: z.array(result).describe("At most 50."),
    signatures: z
      .array(z.strictObject({ domain: z.string(), selector: z.string() }))
      .describe("The DKIM signatures that the email has, whatever became of them; at most 50."),
    hops: z.array(hop).describe("The servers on the way, the first one first; at most 50."),
  })
  .meta({ id: "HeaderReading" })
export type HeaderReading = z.infer<typeof HeaderReading>
