import { z } from "zod"
import { pageOf } from "@/lib/platform/http/paging"
import { id, int32, timestamp } from "@/lib/platform/schema"
import { readLogo } from "@/lib/projects/brand-rules"
import { regionNames } from "@/lib/projects/regions"

const limitMax = 1_000_000_000

const limit = () => int32.min(1, "Must be at least 1.").max(limitMax)

export const ProjectLimits = z
  .strictObject({
    perSecondSends: limit().describe("Messages per second; the token bucket holds max(100, 20 × rate)."),
    dailySends: limit().describe("Messages per UTC day, counted for the whole organization; test sends do not count."),
    maxRecipientsPerMessage: limit().describe("Distinct addresses of to, cc and bcc together."),
    maxDomains: limit(),
    maxApiKeys: limit(),
    maxWebhooks: limit(),
  })
  .meta({ id: "ProjectLimitsModel" })

export const ProjectTracking = z
  .strictObject({
    openTracking: z.boolean(),
    clickTracking: z.boolean(),
    readEngagement: z.boolean(),
    scrollDepth: z.boolean().default(false),
    unsubscribeTracking: z.boolean(),
  })
  .meta({ id: "ProjectTrackingSettingsModel" })

const color = z.string().regex(/^#[0-9a-f]{6}$/i, "Must be a colour such as #1d4ed8.")

/** Branding of the pages that recipients see: preferences and unsubscribe. */
export const ProjectBranding = z
  .strictObject({
    name: z
      .string()
      .trim()
      .min(1, "Must not be empty.")
      .max(100)
      .nullable()
      .optional()
      .describe("Shown instead of the project's name."),
    color: color.nullable().optional().describe("Colour of buttons, as `#rrggbb`."),
    logo: z
      .string()
      .max(100_000)
      .refine((text) => readLogo(text) !== null, "Must be a data: URL of a PNG, JPEG or WebP of at most 64 KiB.")
      .nullable()
      .optional()
      .describe("A `data:` URL of a PNG, JPEG or WebP of at most 64 KiB; omitted from lists."),
  })
  .meta({ id: "ProjectBranding" })

export const Project = z
  .strictObject({
    id: id("proj"),
    name: z.string(),
    slug: z.string(),
    region: z.string().describe("Home region; permanent."),
    status: z.string().describe("`active`, `suspended` or `deleting`."),
    suspensionReason: z.string().optional(),
    removedAt: timestamp
      .optional()
      .describe("Additive: when a deleted project is removed for good; until then an owner can restore it."),
    limits: ProjectLimits,
    trackingSettings: ProjectTracking,
    branding: ProjectBranding.optional().describe("Additive: branding of the pages that recipients see."),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: "ProjectResponse" })

export type Project = z.output<typeof Project>

export const ProjectPage = pageOf(Project)

export const projectName = z.string().trim().min(1, "Must not be empty.").max(100)

export const projectSlug = z
  .string()
  .max(50)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "Must be lower-case letters and digits, joined by single hyphens.")

export const NewProject = z
  .strictObject({
    organizationId: id("org")
      .optional()
      .describe("Optional for users who are owner or admin of only one organization."),
    name: projectName,
    slug: projectSlug,
    region: z.enum(regionNames).describe("Home region; permanent."),
  })
  .meta({ id: "CreateProjectRequest" })

export const ProjectChange = z
  .strictObject({
    name: projectName.optional(),
    slug: projectSlug.optional(),
    limits: ProjectLimits.optional().describe("Replaced whole; each up to the operator's ceiling."),
    trackingSettings: ProjectTracking.optional().describe("Replaced whole."),
    branding: ProjectBranding.optional().describe("Additive: omitted fields stay, `null` clears."),
  })
  .meta({ id: "UpdateProjectRequest" })
