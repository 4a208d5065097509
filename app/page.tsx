import { cookies } from "next/headers"
import { redirect } from "next/navigation"
import { MessagePage } from "@/components/layout/message-page"
import { somebodyExists } from "@/lib/access/people/people-store"
import { sessionIdOf } from "@/lib/access/credentials/session-cookie"
import { signedIn } from "@/app/(dashboard)/signed-in"

/** The front door: to the first project, to the sign-in page, or, before the first run, to the terminal. */
export default async function FrontDoor() {
  const signedInOnce = await sessionIdOf((await cookies()).toString())
  if (!signedInOnce && !(await somebodyExists())) return <FirstRunWaits />
  const session = await signedIn()
  const [project] = session.organizations.flatMap(({ projects }) => projects)
  if (project) redirect(`/projects/${project.id}`)
  return (
    <MessagePage title="You belong to no project">
      You are signed in as {session.user.email}, but no organization counts you among its members. Ask an owner to
      invite you.
    </MessagePage>
  )
}

function FirstRunWaits() {
  return (
    <MessagePage title="Mailroom is running">
      Nobody has an account yet. Open the link that <code>npm start</code> printed in the terminal: it makes the first
      account, once. Start again to see a fresh link.
    </MessagePage>
  )
}
