"use client"

import { useSyncExternalStore, type ReactNode } from "react"
import { languageCookie, languageName } from "@/components/docs/choices"
import { keepChoice } from "@/components/docs/keep-choice"
import { TabPanel, Tabs } from "@/components/ui/tabs"

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
