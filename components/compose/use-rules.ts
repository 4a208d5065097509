"use client"

import { useCallback, useEffect, useState } from "react"

type Rules = typeof import("@/components/compose/checks") & typeof import("@/components/compose/faults")

let known: Rules | null = null

/** Null while the rules cannot be loaded (offline, or after another version was deployed); sending then shows an error. */
async function readRules(): Promise<Rules | null> {
  try {
    const [checks, faults] = await Promise.all([
      import("@/components/compose/checks"),
      import("@/components/compose/faults"),
    ])
    return (known ??= { ...checks, ...faults })
  } catch {
    return null
  }
}

/** The rules that check an email: loaded at once for a draft, else when the form is first used. */
export function useRules(atOnce: boolean) {
  const [rules, setRules] = useState(known)
  const load = useCallback(async () => {
    const read = await readRules()
    setRules(read)
    return read
  }, [])
  useEffect(() => {
    if (atOnce) void readRules().then(setRules)
  }, [atOnce])
  return { rules, load }
}
