import { permissionsOf } from "@/lib/access/permissions"
import { env } from "@/lib/platform/env/env"
import { signedIn } from "@/app/(dashboard)/signed-in"
import { regionNames } from "@/lib/regions/regions"
import { regionSettings } from "@/lib/regions/settings"

/** What the pages of domains need to know of the project and the person: may they change things, and where mail leaves. */
export async function sendingPlace(projectId: string) {
  const { organizations } = await signedIn()
  const organization = organizations.find(({ projects }) => projects.some(({ id }) => id === projectId))
  const home = organization?.projects.find(({ id }) => id === projectId)?.region
  const names = regionNames.toSorted((a, b) => Number(b === home) - Number(a === home))
  return {
    mayWrite: permissionsOf(organization?.role).includes("domains:write"),
    regions: names.map((name) => ({ name, sandbox: regionSettings().profiles[name].transport === "sandbox" })),
    baseUrl: env().baseUrl,
  }
}
