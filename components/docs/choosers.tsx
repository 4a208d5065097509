"use client"

import { useSyncExternalStore, type ReactNode, useTransition } from "react"
import { languageCookie, languageName, keepChoice, projectCookie } from "@/components/docs/choices"
import { TabPanel, Tabs } from "@/components/ui/tabs"
import { usePathname, useRouter } from "next/navigation"
import { Select } from "@/components/ui/select"

type CodeTabsProps = {
  samples: { lang: string; shown: ReactNode }[]
  /** The language that this browser chose last. */
  language: string | undefined
  className?: string
}

/** One sample in several languages. A choice holds for all samples, here and on the pages that come. */
export function CodeTabs({ samples, language, className }: CodeTabsProps) {
  const chosen = useSyncExternalStore(
    subscribe,
    () => chosenHere ?? language,
    () => language,
  )
  const lang = samples.some((one) => one.lang === chosen) ? chosen : samples[0]?.lang
  return (
    <Tabs
      label="Language"
      value={lang ?? ""}
      onValueChange={choose}
      tabs={samples.map((one) => ({ value: one.lang, label: languageName(one.lang) }))}
      className={className}
    >
      {samples.map((one) => (
        <TabPanel key={one.lang} value={one.lang}>
          {one.shown}
        </TabPanel>
      ))}
    </Tabs>
  )
}

let chosenHere: string | undefined
const listeners = new Set<() => void>()

function choose(lang: string) {
  chosenHere = lang
  keepChoice(languageCookie, lang)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

type ProjectChoiceProps = { projects: readonly { id: string; name: string }[]; projectId: string }

/** The project for which the samples of the docs are written, for somebody who has several. */
export function ProjectChoice({ projects, projectId }: ProjectChoiceProps) {
  const router = useRouter()
  const path = usePathname()
  const [pending, start] = useTransition()

  function choose(id: string) {
    keepChoice(projectCookie, id)
    start(() => {
      router.replace(path, { scroll: false })
      router.refresh()
    })
  }

  return (
    <label className="mt-5 flex max-w-90 items-center gap-3 text-muted">
      <span className="shrink-0">Samples for</span>
      <Select
        value={projectId}
        disabled={pending}
        onChange={(event) => choose(event.target.value)}
        options={projects.map(({ id, name }) => ({ value: id, label: name }))}
      />
    </label>
  )
}
