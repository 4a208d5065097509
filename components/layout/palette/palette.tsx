"use client"

import { Command } from "cmdk"
import { Clock, ContactRound, CornerDownLeft, FolderOpen, Globe, Keyboard, LogOut, Mail, Monitor, Moon, Plus, Search, Sun, UserRound } from "lucide-react"
import { useTheme } from "next-themes"
import { useRouter } from "next/navigation"
import { useState, type ReactNode } from "react"
import { signOut } from "@/components/access/sign-in"
import { statusWords } from "@/components/emails/status"
import { intend, type Intent } from "@/components/ui/intent"
import { Kbd } from "@/components/ui/kbd"
import { Modal } from "@/components/ui/modal"
import { Spinner } from "@/components/ui/spinner"
import { toast } from "@/components/ui/toast"
import type { SessionWire } from "@/lib/access/schema"
import type { Place } from "../keys"
import { closeOverlay, openOverlay } from "../overlay"
import { creationsOf, listOf } from "./commands"
import { Group, Item } from "./parts"
import { keepRecent, readRecents } from "./recents"
import { useFound } from "./use-found"

type PaletteProps = { projectId: string; organizations: SessionWire["organizations"]; places: Place[] }

/** Everything that one can go to, make, find or change, by typing a part of its name. */
export default function Palette({ projectId, organizations, places }: PaletteProps) {
  const router = useRouter()
  const { setTheme } = useTheme()
  const [text, setText] = useState("")
  const [recents] = useState(() => readRecents(projectId))
  const found = useFound(projectId, text)
  const projects = organizations.flatMap(({ name, projects: own }) => own.map((project) => ({ ...project, organization: name })))
  const asking = text.trim() !== ""
  // What the API finds comes after the first choice has been made, and stands above it.
  const first = found.emails[0]?.id ?? found.contacts[0]?.id ?? found.domains[0]?.id
  const [chosen, setChosen] = useState("")
  const [known, setKnown] = useState(first)
  if (first !== known) {
    setKnown(first)
    if (first) setChosen(first)
  }

  /** The palette is gone before anything else happens: the focus is back where it was. */
  function run(act: () => void) {
    closeOverlay()
    act()
  }
  const go = (href: string, intent?: Intent) =>
    run(() => {
      if (intent) intend(intent)
      router.push(href)
    })
  function open(kind: string, label: string, href: string) {
    keepRecent(projectId, { kind, label, href })
    go(href)
  }
  async function leave() {
    try {
      await signOut()
    } catch {
      toast.error("You could not be signed out", { description: "Check the connection and try again." })
    }
  }

  return (
    <Modal labelledBy="palette-title" onClose={closeOverlay} className="max-w-150 overflow-hidden">
      <h2 id="palette-title" className="sr-only">Go to, create or find</h2>
      <Command label="Go to, create or find" value={chosen} onValueChange={setChosen} loop vimBindings={false} className="flex max-h-[min(480px,calc(100dvh-4rem))] flex-col">
        <div className="flex items-center gap-2.5 border-b border-line px-4">
          <Search aria-hidden="true" className="size-4 shrink-0 text-faint" />
          <Command.Input
            value={text}
            onValueChange={setText}
            placeholder="Page, action, domain, contact, email id or address"
            className="h-12 min-w-0 flex-1 bg-transparent text-base text-text outline-hidden"
          />
          {asking && found.looking ? <Spinner className="text-faint" /> : null}
          <Kbd>Esc</Kbd>
        </div>
        <Command.List label="What there is" className="min-h-0 flex-1 overflow-y-auto p-1.5">
          <Command.Empty className="px-3 py-8 text-center text-muted">
            {found.looking ? "Looking…" : "Nothing of that name. A whole address or id finds emails."}
          </Command.Empty>
          {found.emails.length > 0 ? (
            <Group title="Emails">
              {found.emails.map(({ id, subject, to, status }) => (
                <Item
                  key={id}
                  value={id}
                  always={text}
                  icon={<Mail />}
                  aside={statusWords(status).word}
                  onSelect={() => open("Email", subject, `/projects/${projectId}/emails/${id}`)}
                >
                  {subject} <span className="ml-1 text-muted">{to[0]}</span>
                </Item>
              ))}
            </Group>
          ) : null}
          {found.contacts.length > 0 ? (
            <Group title="Contacts">
              {found.contacts.map(({ id, email }) => (
                <Item key={id} value={id} always={text} icon={<ContactRound />} onSelect={() => open("Contact", email, `/projects/${projectId}/contacts/${id}`)}>
                  {email}
                </Item>
              ))}
            </Group>
          ) : null}
          {found.domains.length > 0 ? (
            <Group title="Domains">
              {found.domains.map(({ id, domain, status }) => (
                <Item key={id} value={id} always={text} icon={<Globe />} aside={status} onSelect={() => open("Domain", domain, `/projects/${projectId}/domains/${id}`)}>
                  {domain}
                </Item>
              ))}
            </Group>
          ) : null}
          {!asking && recents.length > 0 ? (
            <Group title="Looked at last">
              {recents.map(({ href, label, kind }) => (
                <Item key={href} value={`recent ${href}`} icon={<Clock />} aside={kind} onSelect={() => go(href)}>{label}</Item>
              ))}
            </Group>
          ) : null}
          <Group title="Go to">
            {places.map(({ href, label, letter }) => (
              <Item key={href} value={`go ${label}`} words={["go", "open", "page"]} icon={<CornerDownLeft />} aside={letter ? <Keys keys={["g", letter]} /> : null} onSelect={() => go(href)}>
                {label}
              </Item>
            ))}
            <Item value="go account" words={["profile", "password", "sessions"]} icon={<UserRound />} onSelect={() => go(`/projects/${projectId}/settings/account`)}>
              Your account
            </Item>
          </Group>
          <Group title="Create">
            {creationsOf(projectId).map(({ label, href, intent, words }) => (
              <Item key={label} value={`create ${label}`} words={words} icon={<Plus />} onSelect={() => go(href, intent)}>{label}</Item>
            ))}
          </Group>
          {projects.length > 1 ? (
            <Group title="Switch project">
              {projects.filter(({ id }) => id !== projectId).map(({ id, name, slug, organization }) => (
                <Item key={id} value={`project ${id}`} words={["switch", "project", name, slug, organization]} icon={<FolderOpen />} aside={organization} onSelect={() => go(`/projects/${id}`)}>
                  {name}
                </Item>
              ))}
            </Group>
          ) : null}
          <Group title="This browser">
            {themes.map(({ value, label, icon }) => (
              <Item key={value} value={`theme ${value}`} words={["theme", "appearance", "colour", "mode", label]} icon={icon} onSelect={() => run(() => setTheme(value))}>
                {label}
              </Item>
            ))}
            <Item value="shortcuts" words={["help", "keyboard", "keys"]} icon={<Keyboard />} aside={<Keys keys={["?"]} />} onSelect={() => openOverlay("help")}>
              Keyboard shortcuts
            </Item>
            <Item value="sign out" words={["log out", "leave"]} icon={<LogOut />} onSelect={() => run(() => void leave())}>Sign out</Item>
          </Group>
          {asking ? (
            <Group title="Search the log">
              {listOf(projectId, found.wanted).map(({ label, href }) => (
                <Item key={href} value={`list ${href}`} always={text} icon={<Search />} onSelect={() => go(href)}>{label}</Item>
              ))}
            </Group>
          ) : null}
        </Command.List>
      </Command>
    </Modal>
  )
}

const themes: { value: string; label: string; icon: ReactNode }[] = [
  { value: "light", label: "Light theme", icon: <Sun /> },
  { value: "dark", label: "Dark theme", icon: <Moon /> },
  { value: "system", label: "Theme of the system", icon: <Monitor /> },
]

function Keys({ keys }: { keys: string[] }) {
  return <span className="flex gap-1">{keys.map((key) => <Kbd key={key}>{key}</Kbd>)}</span>
}
