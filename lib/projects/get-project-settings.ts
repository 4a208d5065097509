import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { env, type Region } from "@/lib/platform/env/env"
import { quotaNow } from "@/lib/projects/quota-marks-sql"
import { usedOf } from "@/lib/projects/usage-store"
import { forecastOf } from "@/lib/projects/forecast-rules"
import { limitsOf } from "@/lib/projects/limits-store"
import { storageOf } from "@/lib/projects/storage-store"
import { ProjectSettings } from "@/lib/projects/settings-schema"

export const getProjectSettings = endpoint({
  route: "GET /v1/projects/{projectId}/settings",
  operationId: "getProjectSettings",
  tag: "Projects",
  summary: "Get project settings",
  description:
    "The limits of a project with their ceilings and current use, when the daily allowance will be used up, how much it stores, and how its home region sends.",
  access: allow("projects:read"),
  bucket: buckets.projects,
  answers: [200, ProjectSettings],
  problems: [projectMissing],
  additive: true,

  async run(scope) {
    const [found, used, quota, storage] = await Promise.all([
      limitsOf(scope),
      usedOf(scope),
      quotaNow(scope),
      storageOf(scope),
    ])
    if (!found || !quota || !storage) throw projectMissing()
    const { limits, ceilings } = found
    const { region } = scope.project
    return {
      limits: {
        perSecondSends: { value: limits.perSecondSends, ceiling: ceilings.perSecondSends },
        dailySends: { value: limits.dailySends, ceiling: ceilings.dailySends, used: quota.used },
        maxRecipientsPerMessage: { value: limits.maxRecipientsPerMessage, ceiling: ceilings.maxRecipientsPerMessage },
        maxDomains: { value: limits.maxDomains, ceiling: ceilings.maxDomains, used: used.maxDomains },
        maxApiKeys: { value: limits.maxApiKeys, ceiling: ceilings.maxApiKeys, used: used.maxApiKeys },
        maxWebhooks: { value: limits.maxWebhooks, ceiling: ceilings.maxWebhooks, used: used.maxWebhooks },
      },
      today: forecastOf({ ...quota, limit: limits.dailySends }),
      burst: quota.burst,
      storage: { usedBytes: storage.usedBytes, limitBytes: storage.limitBytes },
      region,
      transport: env().regions[region as Region]?.transport ?? "smtp",
      delivered: env().regions[region as Region]?.delivered ?? "never",
    }
  },
})
