import { withinBudget } from "@/lib/platform/jobs/budget"
import { log } from "@/lib/platform/log"
import { oneBatch, type RemovableProject, removableProjects, removeEmptied } from "@/lib/projects/data"
import { removalSteps } from "@/lib/worker/project-removal-sql"

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
