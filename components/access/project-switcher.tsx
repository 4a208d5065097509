"use client"

import { ChevronsUpDown, Plus, Users } from "lucide-react"
import dynamic from "next/dynamic"
import { Fragment, useState } from "react"
import { AvatarSquare } from "@/components/ui/avatar-square"
import { Menu, MenuItem, MenuLabel, MenuLink, MenuSeparator } from "@/components/ui/menu"
import type { SessionWire } from "@/lib/access/credentials/schema"
import { mayFound } from "@/components/access/founding"

type ProjectSwitcherProps = {
  organizations: SessionWire["organizations"]
  projectId: string
  organization: string
  project: string
}

/** Needed by few, and seldom: its code comes when it is asked for. */
const NewProject = dynamic(() => import("@/components/access/new-project").then((loaded) => loaded.NewProject), {
  ssr: false,
})

/** Shows the current project, and switches to another. */
export function ProjectSwitcher({ organizations, projectId, organization, project }: ProjectSwitcherProps) {
  const [making, setMaking] = useState(false)
  const own = organizations.filter(mayFound)
  const here = organizations.find(({ projects }) => projects.some(({ id }) => id === projectId))
  return (
    <>
      <Menu
        align="start"
        className="max-h-[70dvh] w-64"
        trigger={
          <button
            type="button"
            aria-label={`Project ${project} of ${organization}. Switch project`}
            className="flex w-full min-w-0 items-center gap-2 rounded-md px-2 py-1.5 text-left hover:bg-wait-soft"
          >
            <AvatarSquare name={organization} />
            <span className="flex min-w-0 flex-1 gap-1">
              <b className="min-w-0 truncate font-semibold">{organization}</b>
              <span className="text-faint">/</span>
              <span className="max-w-3/5 shrink-0 truncate">{project}</span>
            </span>
            <ChevronsUpDown aria-hidden="true" className="size-3.5 shrink-0 text-faint" />
          </button>
        }
      >
        {organizations.map((one) => (
          <Fragment key={one.id}>
            <MenuLabel>{one.name}</MenuLabel>
            {[...one.projects, ...one.deletedProjects.map((gone) => ({ ...gone, status: "deleted" }))].map(
              ({ id, name, slug, status }) => (
                <MenuLink key={id} href={`/projects/${id}`} current={id === projectId}>
                  <span className="flex gap-1.5">
                    <span className="truncate">{name}</span>{" "}
                    {status === "active" ? (
                      <span className="truncate text-muted">{slug}</span>
                    ) : (
                      <span className="text-bad">{status}</span>
                    )}
                  </span>
                </MenuLink>
              ),
            )}
          </Fragment>
        ))}
        <MenuSeparator />
        {here ? (
          <MenuLink href={`/projects/${projectId}/settings/members`} icon={<Users />}>
            Members and invites
          </MenuLink>
        ) : null}
        {own.length ? (
          <MenuItem icon={<Plus />} onSelect={() => setMaking(true)}>
            New project
          </MenuItem>
        ) : null}
      </Menu>
      {making ? <NewProject open onOpenChange={setMaking} organizations={own} current={here?.id ?? ""} /> : null}
    </>
  )
}
