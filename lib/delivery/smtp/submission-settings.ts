import { z } from "zod"
import { areaSettings, parseVariables, type Env } from "@/lib/platform/env/env"
import { hostnameField, port } from "@/lib/platform/env/fields"

/** Where programs hand in email by SMTP (RFC 6409). */
export type SubmissionSettings = {
  /** STARTTLS. */
  port: number
  /** TLS from the first byte (RFC 8314). */
  tlsPort: number
  /** What it listens on: all addresses with the operator's certificate, else loopback alone. */
  listenOn: string | undefined
  /** The host that programs connect to. */
  host: string
  /** The one that programs on other machines connect to, and that the operator's certificate has to be for. */
  publicHost: string
  /** Without the operator's certificate, nobody on another machine could know whom they give their key to. */
  isPublic: boolean
}

export const SubmissionVariables = z.object({
  SUBMISSION_PORT: port(2587),
  SUBMISSION_TLS_PORT: port(2465),
  SUBMISSION_HOST: hostnameField.optional(),
})

/** @throws EnvInvalid with every fault at once */
export const submissionSettings = areaSettings(parseSubmissionSettings)

export function parseSubmissionSettings(
  variables: Record<string, string | undefined>,
  { tls, baseUrl }: Pick<Env, "tls" | "baseUrl">,
): SubmissionSettings {
  const given = parseVariables(variables, SubmissionVariables)
  const isPublic = tls !== undefined
  const publicHost = given.SUBMISSION_HOST ?? new URL(baseUrl).hostname
  return {
    port: given.SUBMISSION_PORT,
    tlsPort: given.SUBMISSION_TLS_PORT,
    listenOn: isPublic ? undefined : "127.0.0.1",
    host: isPublic ? publicHost : "localhost",
    publicHost,
    isPublic,
  }
}
