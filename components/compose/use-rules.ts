"use client"

import { useCallback, useEffect, useState } from "react"

type Rules = typeof import("@/components/compose/checks") & typeof import("@/components/compose/faults")

let known: Rules | null = null

/** Null while they cannot be read: offline, or since another version was deployed. Whoever sends is told. */
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

/** The rules by which an email is checked: read at once for a draft, else when somebody begins to work in the form. */
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
