import { z } from "zod"
import { newPassword, personName } from "@/lib/access/credentials/schema"
import { organizationName } from "@/lib/access/organization/schema"
import { id } from "@/lib/platform/schema"
import { projectName, projectSlug } from "@/lib/projects/schema"
import { regionNames } from "@/lib/regions/regions"

export const SetUp = z
  .strictObject({
    token: z.string().min(1).max(200),
    name: personName,
    email: z.string().trim().min(1, "Must not be empty.").max(320),
    password: newPassword,
    organization: organizationName,
    project: z.strictObject({ name: projectName, slug: projectSlug, region: z.enum(regionNames) }),
  })
  .meta({ id: "SetUpRequest" })

export const SetUpDone = z
  .strictObject({ organizationId: id("org"), projectId: id("proj") })
  .meta({ id: "SetUpResponse" })
