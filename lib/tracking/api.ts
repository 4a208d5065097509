import { z } from "zod"
import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { endpoint } from "@/lib/platform/http/endpoint"
import { findProject } from "@/lib/projects/data"
import { readPreferences } from "@/lib/tracking/data"
import { preferencesPage } from "@/lib/tracking/pages"

const PreferencePagePreview = z
  .strictObject({ html: z.string().describe("A complete HTML document without scripts, with its logo inlined.") })
  .meta({ id: "PreferencePagePreviewResponse" })

export const previewPreferencePage = endpoint({
  route: "GET /v1/projects/{projectId}/preference-page",
  operationId: "previewPreferencePage",
  tag: "Topics",
  summary: "Preview the preference page",
  description:
    "The page that links in email open, as a recipient sees it who has not chosen anything yet. Additive, like the previews of Customer.io's subscription center.",
  access: allow("contacts:read"),
  bucket: buckets.topics,
  answers: [200, PreferencePagePreview],
  problems: [projectMissing],
  additive: true,

  async run(scope) {
    const project = await findProject(scope)
    if (!project) throw projectMissing()
    const { name, color, logo } = project.branding ?? {}
    const mail = {
      projectId: project.id,
      organizationId: scope.project.organizationId,
      sender: name ?? project.name,
      recipient: "ada@example.com",
      // No contact has this address: every topic shows its default.
      email: "",
      topic: null,
      brand: { name: name ?? project.name, color: color ?? null, hasLogo: Boolean(logo) },
    }
    const { topics } = await readPreferences(mail)
    const page = preferencesPage({
      mail,
      topics,
      unsubscribed: false,
      otherReason: null,
      saved: false,
      logoUrl: logo ?? "",
    })
    return { html: await page.text() }
  },
})
