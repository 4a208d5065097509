import { z } from "zod"
import { id, timestamp } from "@/lib/platform/schema"

/** Bounds of what authenticators answer, base64url: an attestation holds certificates at most. */
const answerPart = z.string().min(1).max(20_000)
const credentialId = z.string().min(1).max(1_400)

export const passkeysMax = 20

const name = z
  .string()
  .trim()
  .min(1, "Must not be empty.")
  .max(60, "Must be at most 60 characters.")
  .regex(/^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*$/, "Must not contain control characters.")

export const Passkey = z
  .strictObject({
    id: id("pky"),
    name: z.string(),
    lastUsedAt: timestamp.optional().describe("Absent until it signs in for the first time."),
    createdAt: timestamp,
  })
  .meta({ id: "Passkey" })

export type Passkey = z.output<typeof Passkey>
export type PasskeyWire = z.input<typeof Passkey>

export const PasskeyList = z.strictObject({ data: z.array(Passkey) }).meta({ id: "PasskeyList" })

/** The options of WebAuthn, which only the browser reads. */
export const PasskeyOptions = z
  .strictObject({
    options: z
      .record(z.string(), z.unknown())
      .describe("As `parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON` of the browser takes them."),
  })
  .meta({ id: "PasskeyOptions" })

export const NewPasskey = z
  .strictObject({
    name,
    credentialId,
    clientDataJSON: answerPart,
    attestationObject: answerPart,
  })
  .meta({ id: "CreatePasskeyRequest" })

export const CreatedPasskey = z
  .strictObject({
    passkey: Passkey,
    recoveryCodes: z
      .array(z.string())
      .optional()
      .describe("With the first second factor of the user, shown only once; each works once."),
  })
  .meta({ id: "CreatedPasskey" })

export const PasskeyChange = z.strictObject({ name }).meta({ id: "UpdatePasskeyRequest" })

/** What a passkey answers when it signs in; other fields of the request are next-auth's. */
export const PasskeyAssertion = z.object({
  credentialId,
  clientDataJSON: answerPart,
  authenticatorData: answerPart,
  signature: answerPart,
  userHandle: z.string().max(200).optional(),
})

export type PasskeyAssertion = z.output<typeof PasskeyAssertion>
export type NewPasskey = z.output<typeof NewPasskey>
