import { z } from "zod"
import { passwordLength, personNameCharsMax } from "@/lib/access/rules"
import { id, timestamp } from "@/lib/platform/schema"

export const newPassword = z
  .string()
  .min(passwordLength.min, `Must have at least ${passwordLength.min} characters.`)
  .max(passwordLength.max, `Must have at most ${passwordLength.max} characters.`)

/** A user's name. It is part of the subject of invites, so it is one line. */
export const personName = z
  .string()
  .trim()
  .min(1, "Must not be empty.")
  .max(personNameCharsMax, `Must be at most ${personNameCharsMax} characters.`)
  .regex(/^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*$/, "Must not contain control characters.")

export const Session = z
  .strictObject({
    user: z.strictObject({
      id: id("usr"),
      email: z.string(),
      name: z.string().optional(),
      operator: z.boolean().describe("True for who runs the installation, above all organizations."),
    }),
    organizations: z.array(
      z.strictObject({
        id: id("org"),
        name: z.string(),
        role: z.string().describe("`owner`, `admin`, `developer` or `viewer`."),
        secondFactorNeeded: z
          .boolean()
          .describe(
            "The organization requires a second factor, which the user does not have: its projects are left out.",
          ),
        projects: z.array(
          z.strictObject({
            id: id("proj"),
            name: z.string(),
            slug: z.string(),
            region: z.string(),
            status: z.string().describe("`active` or `suspended`."),
            suspensionReason: z.string().optional(),
          }),
        ),
        deletedProjects: z
          .array(
            z.strictObject({
              id: id("proj"),
              name: z.string(),
              slug: z.string(),
              removedAt: timestamp.describe("Until then the project can be restored."),
            }),
          )
          .describe("Deleted projects that can be restored; only for owners."),
      }),
    ),
    createdAt: timestamp,
    expiresAt: timestamp.describe(
      "When the session ends at the latest; it also ends after 24 hours without a request.",
    ),
    currentPasswordNeeded: z
      .boolean()
      .describe(
        "False shortly after signing in with a link or by an identity provider: a new password then needs no current one.",
      ),
    hasPassword: z
      .boolean()
      .describe("False for users who have only signed in with a link or by an identity provider."),
  })
  .meta({ id: "Session" })

export type Session = z.output<typeof Session>
export type SessionWire = z.input<typeof Session>

export const SessionChange = z.strictObject({ name: personName }).meta({ id: "UpdateSessionRequest" })

export const PasswordChange = z
  .strictObject({ currentPassword: z.string().max(passwordLength.max).optional(), newPassword })
  .meta({ id: "ChangePasswordRequest" })

export const SessionConfirmation = z
  .strictObject({ password: z.string().min(1, "Must not be empty.").max(passwordLength.max) })
  .meta({ id: "ConfirmSessionRequest" })

export const SignInLinkRequest = z
  .strictObject({
    email: z.string().min(1, "Must not be empty.").max(320),
    wanted: z
      .string()
      .max(2_000)
      .optional()
      .describe("The page to open after signing in: a path of this service. Anything else is ignored."),
    find: z
      .literal(true)
      .optional()
      .describe(
        "Instead of a link, the email lists the addresses at which the recipient signs in, and it is sent to users only. Where the service has one address, it is ignored.",
      ),
  })
  .meta({ id: "SignInLinkRequest" })
