import { permissionsOf } from "@/lib/access/permissions"
import { env } from "@/lib/platform/env/env"
import { regionNames } from "@/lib/projects/regions"
import { signedIn } from "@/app/(dashboard)/signed-in"

/** What the pages of domains need to know of the project and the person: may they change things, and where mail leaves. */
export async function sendingPlace(projectId: string) {
  const { organizations } = await signedIn()
  const organization = organizations.find(({ projects }) => projects.some(({ id }) => id === projectId))
  const home = organization?.projects.find(({ id }) => id === projectId)?.region
  const names = regionNames.toSorted((a, b) => Number(b === home) - Number(a === home))
  return {
    mayWrite: permissionsOf(organization?.role).includes("domains:write"),
    regions: names.map((name) => ({ name, sandbox: env().regions[name].transport === "sandbox" })),
    baseUrl: env().baseUrl,
  }
}
