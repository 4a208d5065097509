import { z } from "zod"

export const MemberPolicy = z
  .strictObject({
    secondFactorRequired: z
      .boolean()
      .describe("Members without a second factor are led to set one up before they see the organization's projects."),
  })
  .meta({ id: "MemberPolicy" })

export type MemberPolicy = z.output<typeof MemberPolicy>

export const MemberPolicyChange = z
  .strictObject({ secondFactorRequired: z.boolean() })
  .meta({ id: "UpdateMemberPolicyRequest" })
