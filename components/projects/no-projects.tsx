"use client"

import { dynamic } from "@/components/late-parts/dynamic"
import { useState } from "react"
import { mayFound } from "@/components/access/powers"
import { MessagePage } from "@/components/layout/bare-page"
import { Button, ButtonLink } from "@/components/ui/button"
import type { SessionWire } from "@/lib/access/credentials/schema"

const NewProject = dynamic(() => import("@/components/access/new-project").then((loaded) => loaded.NewProject), {
  ssr: false,
})

type NoProjectsProps = { email: string; organizations: SessionWire["organizations"] }

/** The front door of users who have no project, or none that is not deleted. */
export function NoProjects({ email, organizations }: NoProjectsProps) {
  const [making, setMaking] = useState(false)
  const own = organizations.filter(mayFound)
  const deleted = organizations.flatMap(({ deletedProjects }) => deletedProjects)
  const actions = (
    <>
      {own.length ? (
        <Button variant="primary" onClick={() => setMaking(true)}>
          New project
        </Button>
      ) : null}
      {deleted.map(({ id, name }) => (
        <ButtonLink key={id} href={`/projects/${id}`}>
          Restore {name}
        </ButtonLink>
      ))}
    </>
  )
  return (
    <>
      <MessagePage title="You have no projects" actions={actions}>
        You are signed in as {email}. {nextStep(organizations.length > 0, own.length > 0)}
      </MessagePage>
      {making ? <NewProject open onOpenChange={setMaking} organizations={own} current="" /> : null}
    </>
  )
}

function nextStep(isMember: boolean, mayCreate: boolean): string {
  if (mayCreate) return "Create one to send email."
  if (isMember) return "Ask an owner or admin of your organization to create one."
  return "You are not a member of any organization. Ask an owner to invite you."
}
