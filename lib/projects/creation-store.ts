import { addPersonAudit } from "@/lib/access/audit-store"
import { transaction } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"
import type { OrganizationScope, SessionPrincipal } from "@/lib/platform/http/scope"
import type { Project } from "@/lib/projects/schema"
import { addProject, projectById, type ProjectPlan } from "@/lib/projects/store"

/** Makes a project of an organization in the scope; null when its slug is taken there. */
export async function createdProject(
  scope: OrganizationScope,
  by: SessionPrincipal,
  plan: ProjectPlan,
): Promise<Project | null> {
  const projectId = await transaction(async (client) => {
    const id = await addProject(plan, client)
    if (!id) return null
    const { organizationId, ...changes } = plan
    const at = {
      organizationId,
      projectId: id,
      userId: by.userId,
      ip: scope.request.ip,
      requestId: encodeId("req", scope.request.id),
    }
    await addPersonAudit(at, { action: "project.created", target: encodeId("proj", id), changes }, client)
    return id
  })
  return projectId === null ? null : projectById(projectId)
}
