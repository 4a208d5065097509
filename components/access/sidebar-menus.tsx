"use client"

import { ChevronsUpDown, Plus, Users } from "lucide-react"
import { Fragment } from "react"
import { mayFound } from "@/components/access/powers"
import { openOverlay } from "@/components/layout/overlay"
import { cn } from "@/components/ui/cn"
import { Menu, MenuItem, MenuLabel, MenuLink, MenuSeparator } from "@/components/ui/menu"
import type { SessionWire } from "@/lib/access/credentials/schema"
import { chooseTheme, useTheme, type Theme } from "@/components/layout/theme"
import { Kbd } from "@/components/ui/text"
import { chooseTimes, useLocalTime, zoneName } from "@/components/ui/local-time"
import { toast } from "@/components/ui/toast"
import { signOut } from "@/components/access/sign-in"

type ProjectSwitcherProps = {
  organizations: SessionWire["organizations"]
  projectId: string
  organization: string
  project: string
}

/** Shows the current project, and switches to another. */
export function ProjectSwitcher({ organizations, projectId, organization, project }: ProjectSwitcherProps) {
  const here = organizations.find(({ projects }) => projects.some(({ id }) => id === projectId))
  return (
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
          <span className="min-w-0 flex-1 leading-4.5">
            <b className="block font-semibold [overflow-wrap:anywhere]">{project}</b>
            <span className="block text-xs text-muted [overflow-wrap:anywhere]">{organization}</span>
          </span>
          <ChevronsUpDown aria-hidden="true" className="size-3.5 shrink-0 text-faint" />
        </button>
      }
    >
      {organizations.map((one) => (
        <Fragment key={one.id}>
          <MenuLabel>{one.name}</MenuLabel>
          {one.secondFactorNeeded ? (
            <MenuLink href="/second-factor" icon={<Users />}>
              Set up two-factor authentication
            </MenuLink>
          ) : null}
          {[...one.projects, ...one.deletedProjects.map((gone) => ({ ...gone, status: "deleted" }))].map(
            ({ id, name, slug, status }) => (
              <MenuLink key={id} href={`/projects/${id}`} current={id === projectId}>
                <span className="flex gap-1.5">
                  <span className="max-w-full shrink-0 truncate">{name}</span>{" "}
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
      {organizations.some(mayFound) ? (
        <MenuItem icon={<Plus />} onSelect={() => openOverlay("new-project")}>
          New project
        </MenuItem>
      ) : null}
    </Menu>
  )
}

/** The first letter on the accent colour. Decorative: the name is beside it. */
function AvatarSquare({
  name,
  size = "medium",
  className,
}: {
  name: string
  size?: "medium" | "large"
  className?: string
}) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        "grid shrink-0 place-items-center rounded-md bg-accent font-semibold text-on-accent",
        size === "large" ? "size-8 text-base" : "size-6 text-xs",
        className,
      )}
    >
      {[...name.trim()][0]?.toUpperCase() ?? "?"}
    </span>
  )
}

type AccountMenuProps = { email: string; name?: string; projectId: string }

const themes: [Theme, string][] = [
  ["light", "Light"],
  ["dark", "Dark"],
  ["system", "System"],
]

/** The person who is signed in: their account, how the dashboard looks to them, and the way out. */
export function AccountMenu({ email, name, projectId }: AccountMenuProps) {
  const theme = useTheme()
  const local = useLocalTime()
  const shown = name ?? email
  async function leave() {
    try {
      await signOut()
    } catch {
      toast.error("You could not be signed out", { description: "Check the connection and try again." })
    }
  }
  return (
    <Menu
      align="start"
      className="w-56"
      trigger={
        <button
          type="button"
          aria-label={`Account of ${shown}`}
          className="flex w-full min-w-0 items-center gap-2 rounded-md px-2 py-1.5 text-left hover:bg-wait-soft"
        >
          <span
            aria-hidden="true"
            className="grid size-6 shrink-0 place-items-center rounded-full bg-wait-soft text-[0.625rem] font-semibold text-muted"
          >
            {initials(shown)}
          </span>
          <span className="min-w-0 flex-1 truncate">{shown}</span>
          <ChevronsUpDown aria-hidden="true" className="size-3.5 shrink-0 text-faint" />
        </button>
      }
    >
      <MenuLabel>{email}</MenuLabel>
      <MenuLink href={`/projects/${projectId}/settings/account`}>Your account</MenuLink>
      <MenuItem aside={<Kbd>?</Kbd>} onSelect={() => openOverlay("help")}>
        Keyboard shortcuts
      </MenuItem>
      <MenuSeparator />
      <MenuLabel>Theme</MenuLabel>
      {themes.map(([value, label]) => (
        <MenuItem key={value} checked={theme === value} onSelect={() => chooseTheme(value)}>
          {label}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuLabel>Times</MenuLabel>
      <MenuItem checked={local} onSelect={() => chooseTimes("local")}>
        Local, {zoneName(true)}
      </MenuItem>
      <MenuItem checked={!local} onSelect={() => chooseTimes("utc")}>
        UTC
      </MenuItem>
      <MenuSeparator />
      <MenuItem onSelect={() => void leave()}>Sign out</MenuItem>
    </Menu>
  )
}

function initials(name: string): string {
  const words = name.split(/[\s.@]+/).filter(Boolean)
  return words
    .slice(0, 2)
    .flatMap((word) => [...word][0]?.toUpperCase() ?? [])
    .join("")
}
