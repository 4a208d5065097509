"use client"

import { Command } from "cmdk"
import { Clock, FolderOpen, Keyboard, LogOut, Monitor, Moon, Plus, Search, Sun, UserRound } from "lucide-react"
import { type ReactNode, useState } from "react"
import { mayFound, usePowers, useRole } from "@/components/access/powers"
import { signOut } from "@/components/access/sign-in"
import type { DialogName } from "@/components/data/add-dialog"
import type { KeyPlace } from "@/components/layout/keys"
import { closeOverlay, openOverlay, typedEarly } from "@/components/layout/overlay"
import { type Creation, creationsOf, listOf, names, pagesBeyond, wordsFor } from "@/components/layout/palette/commands"
import { firstOf, FoundRows, FoundGroup, Item, Keys, kindIcons, useFound } from "@/components/layout/palette/found"
import { keepRecent, readRecents } from "@/components/layout/palette/recents"
import { chooseTheme, type Theme } from "@/components/layout/theme"
import { intend } from "@/components/ui/intent"
import { Kbd } from "@/components/ui/text"
import { Modal } from "@/components/ui/dialog"
import { Spinner } from "@/components/ui/loading"
import { toast } from "@/components/ui/toast"
import { useGo } from "@/components/ui/leaving"
import type { SessionWire } from "@/lib/access/credentials/schema"
import { grantableRoles } from "@/lib/access/rules"

type PaletteProps = { projectId: string; organizations: SessionWire["organizations"]; places: KeyPlace[] }

/** Everything that one can go to, make, find or change, by typing a part of its name. */
export default function Palette({ projectId, organizations, places }: PaletteProps) {
  const openPage = useGo()
  const powers = {
    may: usePowers(),
    manages: grantableRoles(useRole()).length > 0,
    founds: organizations.some(mayFound),
  }
  const [text, setText] = useState(typedEarly)
  const [recents] = useState(() => readRecents(projectId))
  const found = useFound(projectId, text)
  const projects = organizations
    .flatMap(({ name, projects: own }) => own.map((project) => ({ ...project, organization: name })))
    .filter(
      ({ id, name, slug, organization }) => id !== projectId && names(text, "switch project", name, slug, organization),
    )
  const asking = text.trim() !== ""
  // An id or a whole address means one thing; words may also be the name of a page, which then comes first.
  const certain = found.wanted.kind === "id" || found.wanted.kind === "address"
  const [chosen, setChosen] = useState("")
  const first = firstOf(found)
  const [known, setKnown] = useState(first)
  if (first !== known) {
    setKnown(first)
    // What the API finds comes late: it takes the choice from the search of the log, never from a page.
    if (first && (certain || chosen === "" || chosen.startsWith("list "))) setChosen(first)
  }

  /** The palette closes first, so that the focus is back where it was. */
  function run(act: () => void) {
    closeOverlay()
    act()
  }
  const go = (href: string, intent?: DialogName) =>
    run(() => {
      if (intent) intend(intent)
      openPage(href)
    })
  const make = ({ at }: Creation) => ("overlay" in at ? openOverlay(at.overlay) : go(at.href, at.intent))
  function open(kind: string, label: string, href: string) {
    keepRecent(projectId, { kind, label, href })
    go(href)
  }
  const results = <FoundRows found={found} projectId={projectId} onOpen={open} />
  return (
    <Modal labelledBy="palette-title" onClose={() => closeOverlay("palette")} className="max-w-150 overflow-hidden">
      <h2 id="palette-title" className="sr-only">
        Go to, create or find
      </h2>
      <Command
        label="Go to, create or find"
        value={chosen}
        onValueChange={setChosen}
        shouldFilter={false}
        loop
        vimBindings={false}
        className="flex max-h-[min(480px,calc(100dvh-4rem))] flex-col"
      >
        <div className="flex items-center gap-2.5 border-b border-line px-4">
          <Search aria-hidden="true" className="size-4 shrink-0 text-faint" />
          <Command.Input
            value={text}
            onValueChange={setText}
            placeholder="Page, action, name, subject, ID or address"
            className="h-12 min-w-0 flex-1 bg-transparent text-base text-text outline-hidden"
          />
          {asking && found.looking ? <Spinner className="text-faint" /> : null}
          <span className="hidden sm:block">
            <Kbd>Esc</Kbd>
          </span>
        </div>
        <Command.List label="Results" className="min-h-0 flex-1 overflow-y-auto p-1.5">
          <Command.Empty className="px-3 py-8 text-center text-muted">
            {found.looking ? "Searching…" : "No results. Try a part of a name, or a whole address or ID."}
          </Command.Empty>
          {certain ? results : null}
          {!asking && recents.length > 0 ? (
            <FoundGroup title="Recent">
              {recents.map(({ href, label, kind }) => (
                <Item
                  key={href}
                  value={`recent ${href}`}
                  icon={kindIcons[kind] ?? <Clock />}
                  aside={kind}
                  onSelect={() => go(href)}
                >
                  {label}
                </Item>
              ))}
            </FoundGroup>
          ) : null}
          <FoundGroup title="Go to">
            {places
              .filter(({ label, href }) => names(text, label, "go to page", wordsFor(href)))
              .map(({ href, label, icon, key }) => (
                <Item
                  key={href}
                  value={`go ${href}`}
                  icon={icon}
                  aside={key ? <Keys keys={["g", key]} /> : null}
                  onSelect={() => go(href)}
                >
                  {label}
                </Item>
              ))}
            {(asking ? pagesBeyond(projectId, powers) : [])
              .filter(({ label, words }) => names(text, label, "go to page", words))
              .map(({ label, href, icon }) => (
                <Item key={href} value={`go ${href}`} icon={icon} onSelect={() => go(href)}>
                  {label}
                </Item>
              ))}
            {names(text, "Your account profile password sessions") ? (
              <Item
                value="go account"
                icon={<UserRound />}
                onSelect={() => go(`/projects/${projectId}/settings/account`)}
              >
                Your account
              </Item>
            ) : null}
          </FoundGroup>
          <FoundGroup title="Create">
            {creationsOf(projectId, powers)
              .filter(({ label, words }) => names(text, label, words))
              .map((creation) => (
                <Item
                  key={creation.label}
                  value={`create ${creation.label}`}
                  icon={<Plus />}
                  onSelect={() => make(creation)}
                >
                  {creation.label}
                </Item>
              ))}
          </FoundGroup>
          {certain ? null : results}
          <FoundGroup title="Switch project">
            {projects.map(({ id, name, organization }) => (
              <Item
                key={id}
                value={`project ${id}`}
                icon={<FolderOpen />}
                aside={organization}
                onSelect={() => go(`/projects/${id}`)}
              >
                {name}
              </Item>
            ))}
          </FoundGroup>
          <BrowserGroup text={text} run={run} />
          {asking ? (
            <FoundGroup title="Search emails">
              {listOf(projectId, found.wanted).map(({ label, href }) => (
                <Item key={href} value={`list ${href}`} icon={<Search />} onSelect={() => go(href)}>
                  {label}
                </Item>
              ))}
            </FoundGroup>
          ) : null}
        </Command.List>
      </Command>
    </Modal>
  )
}

/** What concerns this browser alone: its theme, the keyboard, and who is signed in. */
function BrowserGroup({ text, run }: { text: string; run: (act: () => void) => void }) {
  return (
    <FoundGroup title="This browser">
      {themes
        .filter(({ label }) => names(text, label, "appearance colour mode"))
        .map(({ value, label, icon }) => (
          <Item key={value} value={`theme ${value}`} icon={icon} onSelect={() => run(() => chooseTheme(value))}>
            {label}
          </Item>
        ))}
      {names(text, "Keyboard shortcuts help keys") ? (
        <Item value="shortcuts" icon={<Keyboard />} aside={<Keys keys={["?"]} />} onSelect={() => openOverlay("help")}>
          Keyboard shortcuts
        </Item>
      ) : null}
      {names(text, "Sign out log leave") ? (
        <Item value="sign out" icon={<LogOut />} onSelect={() => run(() => void leave())}>
          Sign out
        </Item>
      ) : null}
    </FoundGroup>
  )
}

const themes: { value: Theme; label: string; icon: ReactNode }[] = [
  { value: "light", label: "Light theme", icon: <Sun /> },
  { value: "dark", label: "Dark theme", icon: <Moon /> },
  { value: "system", label: "Theme of the system", icon: <Monitor /> },
]

async function leave() {
  try {
    await signOut()
  } catch {
    toast.error("You could not be signed out", { description: "Check the connection and try again." })
  }
}
