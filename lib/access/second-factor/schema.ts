import { z } from "zod"
import { timestamp } from "@/lib/platform/schema"

export const SecondFactor = z
  .strictObject({
    totpSince: timestamp
      .optional()
      .describe("Since when signing in asks for a code of an authenticator app; absent while it does not."),
    passkeys: z.int().describe("How many passkeys sign the user in."),
    recoveryCodesLeft: z.int().describe("Recovery codes that were not used yet."),
  })
  .meta({ id: "SecondFactor" })

export const NewTotp = z
  .strictObject({
    secret: z.string().describe("For typing into an authenticator app: base32."),
    uri: z.string().describe("For scanning, as a QR code: `otpauth://totp/…`."),
  })
  .meta({ id: "NewTotp" })

export const TotpConfirmation = z
  .strictObject({
    code: z
      .string()
      .trim()
      .max(7, "Must be the 6 digits that the app shows.")
      .regex(/^\d{3} ?\d{3}$/, "Must be the 6 digits that the app shows."),
  })
  .meta({ id: "ConfirmTotpRequest" })

export const RecoveryCodes = z
  .strictObject({ recoveryCodes: z.array(z.string()).describe("Shown only once; each works once.") })
  .meta({ id: "RecoveryCodes" })
