import { z } from "zod"
import { pageOf } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"
import { id, int32, int64, timestamp } from "@/lib/platform/schema"
import { readLogo } from "@/lib/projects/brand-rules"
import { regionNames } from "@/lib/regions/regions"

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

export type Limits = z.output<typeof ProjectLimits>

export const ProjectTracking = z
  .strictObject({
    openTracking: z.boolean(),
    clickTracking: z.boolean(),
    readEngagement: z.boolean(),
    scrollDepth: z.boolean().default(false),
    unsubscribeTracking: z
      .boolean()
      .describe(
        "Stored without effect: whether an email carries the unsubscribe headers and link is decided by its topic, segment, `trackingSettings` and category.",
      ),
  })
  .meta({ id: "ProjectTrackingSettingsModel" })

const color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, "Must be a colour such as #1d4ed8.")
  .meta({ maxLength: 7, examples: ["#1d4ed8"] })

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
      .meta({ examples: ["data:image/png;base64,iVBORw0KGgo="] })
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
    tls: z.string().optional().describe("Additive: the `tls` of emails whose request does not say it."),
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
    tls: z
      .enum(["opportunistic", "required", "verified"])
      .optional()
      .describe("Additive: the `tls` of emails whose request does not say it; `opportunistic` at first."),
  })
  .meta({ id: "UpdateProjectRequest" })

const Gauge = z
  .strictObject({
    value: int32,
    ceiling: int32.describe("The highest value that the operator allows."),
    used: int32.optional().describe("Current use; for `dailySends`, of the whole organization since midnight UTC."),
  })
  .meta({ id: "LimitGauge" })

export const ProjectSettings = z
  .strictObject({
    limits: z.strictObject({
      perSecondSends: Gauge,
      dailySends: Gauge,
      maxRecipientsPerMessage: Gauge,
      maxDomains: Gauge,
      maxApiKeys: Gauge,
      maxWebhooks: Gauge,
    }),
    today: z
      .strictObject({
        resetsAt: timestamp.describe("When the daily allowance resets: midnight UTC."),
        perHour: int32
          .optional()
          .describe("Sends per hour at the rate of the last hour; absent with less than 15 minutes of data today."),
        runsOutAt: timestamp
          .optional()
          .describe("When the daily allowance will be used up at this rate; absent unless that is before `resetsAt`."),
      })
      .describe("Additive: the forecast of the organization's daily allowance."),
    burst: z
      .strictObject({
        size: int32.describe("Sends that are accepted at once after a pause."),
        used: int32.describe("How many of them are used now; they are refilled at `perSecondSends` per second."),
      })
      .describe("Additive: the allowance per second. Sends are refused while all of it is used."),
    storage: z
      .strictObject({
        usedBytes: int64.describe(
          "Content of emails, broadcasts, templates, sandbox messages, webhook deliveries, pictures and import files.",
        ),
        limitBytes: int64.describe("Beyond it, sends and uploads are refused with 413 `project.storage_full`."),
      })
      .describe("Additive: what the project stores. Only the operator can change the limit."),
    region: z.string(),
    transport: z
      .string()
      .describe(
        "How the home region sends: `smtp` (through a relay), `direct` (to the recipients' own servers), `ses` (by the API of Amazon SES), or `sandbox`, which captures all email.",
      ),
    delivered: z
      .string()
      .describe(
        "Additive: when email of the home region counts as delivered: `accept` (when the next server accepts it), `dsn` and `events` (when a report or an event of the provider says so), or `never` (nobody reports it: email ends at `sent`, and metrics count it as `deliveryNotReported`).",
      ),
  })
  .meta({ id: "ProjectSettings" })

export type LimitName = keyof z.output<typeof ProjectSettings>["limits"]

export const ProjectSuspension = z
  .strictObject({
    reason: z
      .string()
      .trim()
      .min(1, "Must not be empty.")
      .max(200)
      .optional()
      .describe("Shown to everyone who opens the project."),
  })
  .meta({ id: "SuspendProjectRequest" })

export const limitReached = problem(
  "project.limit_reached",
  403,
  "Project limit reached",
  "The project has reached this limit, which the detail names. An owner or admin can raise a limit of the project's settings up to its ceiling; the operator can raise the ceiling with `npm run admin -- set-limits`. Other limits are the same for every project.",
)
export const storageFull = problem(
  "project.storage_full",
  413,
  "Storage full",
  "The project stores as much as it may: its emails, broadcasts, templates, sandbox messages, webhook deliveries, pictures and import files together. Settings shows how much. Room becomes free as old content is deleted, and the operator can raise the limit with set-limits.",
)
export const slugTaken = problem(
  "project.slug_taken",
  400,
  "Slug taken",
  "Another project of the organization has this slug.",
)

export const setUpClosed = problem(
  "setup.not_found",
  404,
  "Set-up not found",
  "The link is not the latest one that this installation printed, or set-up is already complete. Restart the service to get a new link, or sign in.",
)

/** Names the limit that is reached, its value and who can raise it. */
export function reached(limit: keyof Limits, value: number) {
  return limitReached(
    `${limit} is ${value}, and the project has reached it. An owner or admin can raise it in the project's settings, up to the ceiling that the operator has set.`,
  )
}

/** For a limit that is the same for every project. */
export function fixedLimitReached(what: string, most: number) {
  return limitReached(
    `A project has at most ${most} ${what}. Nobody can raise this limit; delete what is no longer used.`,
  )
}
