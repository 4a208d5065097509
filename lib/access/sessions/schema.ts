import { z } from "zod"
import { id, timestamp } from "@/lib/platform/schema"

export const OpenSession = z
  .strictObject({
    id: id("ses"),
    current: z.boolean().describe("True for the session that asks."),
    signedInBy: z.string().describe("`password`, `link`, `passkey`, `github`, `google` or `oidc`."),
    provider: z.string().optional().describe("With `oidc`: what the installation calls its identity provider."),
    browser: z.string().optional().describe("As the browser named itself when it signed in; absent when unknown."),
    system: z.string().optional().describe("The operating system, likewise."),
    ip: z.string().optional().describe("The address from which the user signed in."),
    createdAt: timestamp.describe("When the user signed in."),
    lastSeenAt: timestamp.describe("The last request, to the minute."),
    expiresAt: timestamp,
  })
  .meta({ id: "OpenSession" })

export type OpenSession = z.output<typeof OpenSession>
export type OpenSessionWire = z.input<typeof OpenSession>

export const OpenSessionList = z.strictObject({ data: z.array(OpenSession) }).meta({ id: "OpenSessionList" })
