import { z } from "zod"
import { id } from "@/lib/platform/schema"

/** It is part of the subject of invites. */
export const organizationName = z.string().trim().min(1, "Must not be empty.").max(100)

export const Organization = z.strictObject({ id: id("org"), name: z.string() }).meta({ id: "Organization" })

export type Organization = z.output<typeof Organization>

export const OrganizationChange = z.strictObject({ name: organizationName }).meta({ id: "UpdateOrganizationRequest" })
