import { cookies } from "next/headers"
import { redirect } from "next/navigation"
import { MessagePage } from "@/components/layout/bare-page"
import { NoProjects } from "@/components/projects/no-projects"
import { somebodyExists } from "@/lib/access/people/data"
import { sessionIdOf } from "@/lib/access/credentials/session"
import { signedIn } from "@/app/(dashboard)/signed-in"

/** Leads to the first project, to the sign-in page, or, before the set-up, to the terminal. */
export default async function FrontDoor() {
  const signedInOnce = await sessionIdOf((await cookies()).toString())
  if (!signedInOnce && !(await somebodyExists())) return <FirstRunWaits />
  const session = await signedIn()
  const [project] = session.organizations.flatMap(({ projects }) => projects)
  if (project) redirect(`/projects/${project.id}`)
  if (session.organizations.some(({ secondFactorNeeded }) => secondFactorNeeded)) redirect("/second-factor")
  return <NoProjects email={session.user.email} organizations={session.organizations} />
}

function FirstRunWaits() {
  return (
    <MessagePage title="Mailroom is running">
      There is no account yet. Open the link that <code>npm start</code> printed in the terminal to create the first
      one; it works once. Restart to get a new link.
    </MessagePage>
  )
}
