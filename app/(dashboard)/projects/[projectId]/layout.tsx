import { notFound } from "next/navigation"
import type { ReactNode } from "react"
import { AccountMenu } from "@/components/access/account-menu"
import { navigation } from "@/components/layout/navigation"
import { RoleProvider } from "@/components/access/powers"
import { ProjectSwitcher } from "@/components/access/project-switcher"
import { AppShell } from "@/components/layout/app-shell"
import { env } from "@/lib/platform/env/env"
import { signedIn } from "@/app/(dashboard)/signed-in"

type Props = { params: Promise<{ projectId: string }>; children: ReactNode }

export async function generateMetadata({ params }: Props) {
  const { projectId } = await params
  const name = (await place(projectId))?.project.name
  return { title: { default: name ?? "Mailroom", template: `%s · ${name ?? "Mailroom"} · Mailroom` } }
}

export default async function ProjectLayout({ params, children }: Props) {
  const { projectId } = await params
  const here = await place(projectId)
  if (!here) notFound()
  const { session, organization, project } = here
  const sandbox = Object.values(env().regions).some(({ transport }) => transport === "sandbox")
  const { groups, bottom } = navigation(projectId, { sandbox })
  return (
    <RoleProvider role={organization.role}>
      <AppShell
        projectId={projectId}
        organizations={session.organizations}
        title={<span className="truncate font-semibold">{project.name}</span>}
        switcher={
          <ProjectSwitcher
            organizations={session.organizations}
            projectId={projectId}
            organization={organization.name}
            project={project.name}
          />
        }
        groups={groups}
        bottom={bottom}
        account={<AccountMenu email={session.user.email} name={session.user.name} projectId={projectId} />}
      >
        {children}
      </AppShell>
    </RoleProvider>
  )
}

/** The project of the address among those of the person, or null: then there is nothing here for them. */
async function place(projectId: string) {
  const session = await signedIn()
  for (const organization of session.organizations) {
    const project = organization.projects.find(({ id }) => id === projectId)
    if (project) return { session, organization, project }
  }
  return null
}
