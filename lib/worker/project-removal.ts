import { keyRemoval } from "@/lib/api-keys/project-removal"
import { broadcastRemoval } from "@/lib/broadcasts/project-removal"
import { preferenceRemoval, suppressionRemoval } from "@/lib/consent/project-removal"
import { propertyRemoval } from "@/lib/contact-properties/project-removal"
import { contactRemoval } from "@/lib/contacts/project-removal"
import { deliveryRemoval } from "@/lib/delivery/project-removal"
import { domainRemoval } from "@/lib/domains/project-removal"
import { emailRemoval, eventRemoval } from "@/lib/emails/project-removal"
import { metricRemoval } from "@/lib/metrics/project-removal"
import type { RemovalStep } from "@/lib/platform/database/removal-sql"
import { withinBudget } from "@/lib/platform/jobs/budget"
import { log } from "@/lib/platform/log"
import { oneBatch, removableProjects, removeEmptied, type RemovableProject } from "@/lib/projects/removal-store"
import { sandboxRemoval } from "@/lib/sandbox/project-removal"
import { segmentRemoval, segmentWorkRemoval } from "@/lib/segments/project-removal"
import { streamRemoval } from "@/lib/stream/project-removal"
import { topicRemoval } from "@/lib/topics/project-removal"
import { trackingRemoval } from "@/lib/tracking/project-removal"
import { webhookRemoval } from "@/lib/webhooks/project-removal"

/**
 * Everything that a project owns, children before their parents. Webhooks go early, so that the removal of the rest is no
 * event for anybody.
 */
export const removalSteps: readonly RemovalStep[] = [
  ...streamRemoval,
  ...webhookRemoval,
  ...trackingRemoval,
  ...deliveryRemoval,
  ...sandboxRemoval,
  ...broadcastRemoval,
  ...emailRemoval,
  ...segmentRemoval,
  ...preferenceRemoval,
  ...contactRemoval,
  ...suppressionRemoval,
  ...metricRemoval,
  ...topicRemoval,
  ...propertyRemoval,
  ...domainRemoval,
  ...keyRemoval,
  ...segmentWorkRemoval,
  ...eventRemoval,
]

/** The step at which the removal of a project is, in this process; a restart begins with the first, which finds nothing. */
const progress = new Map<string, number>()

/**
 * Removes projects that can no longer be restored, for about `budgetMs`, in batches that commit one by one.
 * @returns whether something is left, for the next call to continue with
 */
export async function removeProjects(budgetMs: number): Promise<boolean> {
  return withinBudget(await removableProjects(), removeBatch, budgetMs)
}

/** One batch of a project. False once the project is gone, or another worker is at it. */
async function removeBatch(project: RemovableProject): Promise<boolean> {
  const at = progress.get(project.id) ?? 0
  const step = removalSteps[at]
  if (!step) {
    await removeRow(project)
    return false
  }
  const batch = await oneBatch(project.id, (on) => step.run(on, project.id))
  if (batch?.done === null) progress.set(project.id, at + 1)
  return batch !== null
}

async function removeRow(project: RemovableProject): Promise<void> {
  if (!(await removeEmptied(project))) return
  progress.delete(project.id)
  log.info({ projectId: project.id }, "a deleted project was removed")
}
