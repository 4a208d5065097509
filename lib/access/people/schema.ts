import { z } from "zod"
import { newPassword, personName } from "@/lib/access/credentials/schema"
import { roles } from "@/lib/access/permissions"
import { id, timestamp } from "@/lib/platform/schema"

const role = z.enum(roles)

export const Member = z
  .strictObject({
    id: id("usr"),
    email: z.string(),
    name: z.string().optional(),
    role: role.describe("`owner`, `admin`, `developer` or `viewer`."),
    fromGroup: z
      .boolean()
      .describe("True while a group of the identity provider gives the role; false once it was set here."),
    you: z.boolean().describe("True for the signed-in user."),
    joinedAt: timestamp,
  })
  .meta({ id: "Member" })

export type Member = z.output<typeof Member>
export type MemberWire = z.input<typeof Member>

export const MemberList = z.strictObject({ data: z.array(Member) }).meta({ id: "MemberList" })

export const MemberChange = z.strictObject({ role }).meta({ id: "UpdateMemberRequest" })

const invite = {
  id: id("inv"),
  email: z.string(),
  role,
  invitedBy: z.string().optional().describe("The email address of the inviter."),
  undelivered: z
    .string()
    .optional()
    .describe("Why the email with the link was not delivered; absent while delivery is still possible."),
  expiresAt: timestamp.describe("When the link expires."),
  createdAt: timestamp,
}

export const Invite = z.strictObject(invite).meta({ id: "Invite" })

export type Invite = z.output<typeof Invite>
export type InviteWire = z.input<typeof Invite>

export const InviteList = z.strictObject({ data: z.array(Invite) }).meta({ id: "InviteList" })

export const NewInvite = z
  .strictObject({ email: z.string().trim().min(1, "Must not be empty.").max(320), role })
  .meta({ id: "CreateInviteRequest" })

export const CreatedInvite = z
  .strictObject({
    ...invite,
    mailed: z.boolean().describe("True when the invite was queued for sending by email."),
    url: z
      .string()
      .optional()
      .describe("The link to pass on by hand, shown only once, if the installation cannot send system email."),
  })
  .meta({ id: "CreatedInvite" })

const token = z.string().min(1).max(200)

export const AcceptInvite = z
  .strictObject({ token, name: personName, password: newPassword })
  .meta({ id: "AcceptInviteRequest" })

export const AcceptedInvite = z.strictObject({ email: z.string() }).meta({ id: "AcceptInviteResponse" })

export const JoinByInvite = z.strictObject({ token }).meta({ id: "JoinOrganizationRequest" })

export const Joined = z.strictObject({ organizationId: id("org") }).meta({ id: "JoinOrganizationResponse" })
