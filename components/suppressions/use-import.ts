"use client"

import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { formatNumber } from "@/lib/platform/format"
import { call } from "@/components/data/call"
import { problemOf } from "@/components/data/problem"
import { refetch } from "@/components/data/refetch"
import type { ImportRow } from "@/components/suppressions/import-rows"
import { suppressionsRoute } from "@/components/suppressions/queries"

/** Rows of one request: well below the 16 MiB that it may hold. */
const stepRows = 20_000
const errorsShown = 200

export type ImportReport = {
  dryRun: boolean
  imported: number
  skipped: number
  invalid: number
  /** `row` counts from 1, over all requests. */
  errors: { row: number; email: string; detail: string }[]
}

type Running = { done: number; total: number }

/** Sends rows in requests one after the other and adds up what is answered. */
export function useImport(projectId: string) {
  const client = useQueryClient()
  const [running, setRunning] = useState<Running>()
  const [report, setReport] = useState<ImportReport>()
  const [fault, setFault] = useState<string>()

  async function run(rows: ImportRow[], dryRun: boolean) {
    setFault(undefined)
    const sum: ImportReport = { dryRun, imported: 0, skipped: 0, invalid: 0, errors: [] }
    try {
      for (let at = 0; at < rows.length; at += stepRows) {
        setRunning({ done: at, total: rows.length })
        const answer = await call("POST /v1/projects/{projectId}/suppressions/import", {
          params: { projectId },
          body: { suppressions: rows.slice(at, at + stepRows), dryRun },
        })
        sum.imported += answer.imported
        sum.skipped += answer.skipped
        sum.invalid += answer.invalid ?? 0
        sum.errors.push(...(answer.errors ?? []).map((error) => ({ ...error, row: at + error.row + 1 })))
      }
      setReport({ ...sum, errors: sum.errors.slice(0, errorsShown) })
    } catch (error) {
      const { detail, title } = problemOf(error)
      setFault(
        `${detail ?? title}${dryRun || !sum.imported ? "" : ` ${formatNumber(sum.imported)} addresses were added; import the same file again to continue.`}`,
      )
    } finally {
      setRunning(undefined)
      if (!dryRun) await refetch(client, [suppressionsRoute])
    }
  }

  return { run, running, report, fault, forget: () => setReport(undefined) }
}
