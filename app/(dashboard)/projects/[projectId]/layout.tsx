import { notFound, redirect } from "next/navigation"
import type { ReactNode } from "react"
import { AccountMenu, ProjectSwitcher } from "@/components/access/sidebar-menus"
import { navigation } from "@/components/layout/navigation"
import { NoticeBell } from "@/components/notices/notice-bell"
import { RoleProvider } from "@/components/access/powers"
import { AppShell } from "@/components/layout/app-shell"
import { LazyDeletedProject } from "@/components/layout/shell-parts"
import { SuspendedBanner } from "@/components/projects/suspended-banner"
import type { SessionWire } from "@/lib/access/credentials/schema"
import { addressOnTheWay, signedIn } from "@/app/(dashboard)/signed-in"
import { regionSettings } from "@/lib/regions/settings"

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
  const { session, organization, project, state } = here
  const sandbox = Object.values(regionSettings().profiles).some(({ transport }) => transport === "sandbox")
  const { groups, bottom } = state === "deleted" ? nothing : navigation(projectId, { sandbox })
  // From a deleted project the way to settings and search leads to another one.
  const open = state === "deleted" ? (firstProject(session) ?? projectId) : projectId
  return (
    <RoleProvider role={organization.role}>
      <AppShell
        projectId={open}
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
        account={
          <div className="flex items-center gap-1">
            <div className="min-w-0 flex-1">
              <AccountMenu email={session.user.email} name={session.user.name} projectId={open} />
            </div>
            <NoticeBell projectId={open} />
          </div>
        }
      >
        {state === "suspended" ? (
          <SuspendedBanner
            projectId={projectId}
            reason={project.suspensionReason}
            mayResume={organization.role === "owner"}
          />
        ) : null}
        {state === "deleted" ? (
          <LazyDeletedProject projectId={projectId} name={project.name} removedAt={project.removedAt} />
        ) : (
          children
        )}
      </AppShell>
    </RoleProvider>
  )
}

const nothing = { groups: [], bottom: [] }

function firstProject(session: SessionWire): string | undefined {
  return session.organizations.flatMap(({ projects }) => projects)[0]?.id
}

/** The project of the address among those of the person, or null: then there is nothing here for them. */
async function place(projectId: string) {
  const session = await signedIn()
  for (const organization of session.organizations) {
    const project = organization.projects.find(({ id }) => id === projectId)
    if (project?.status === "suspended") return { session, organization, project, state: "suspended" as const }
    if (project) return { session, organization, project, state: "active" as const }
    const deleted = organization.deletedProjects.find(({ id }) => id === projectId)
    if (deleted) return { session, organization, project: deleted, state: "deleted" as const }
  }
  // It may be among those that are withheld.
  if (session.organizations.some(({ secondFactorNeeded }) => secondFactorNeeded))
    redirect(await addressOnTheWay("/second-factor"))
  return null
}
