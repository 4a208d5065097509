import { query } from "@/components/data/query"
import type { CallAnswer } from "@/components/data/call"

export const importsRoute = "GET /v1/projects/{projectId}/contact-imports"
export const importRoute = "GET /v1/projects/{projectId}/contact-imports/{importId}"

const errorsRoute = "GET /v1/projects/{projectId}/contact-imports/{importId}/errors"

export type ImportError = CallAnswer<typeof errorsRoute>["data"][number]
export type ContactImport = CallAnswer<typeof importRoute>

export const importsPerPage = 20
const errorsPerPage = 50
const pollMs = 1_000

/** The counts of a running import are refreshed every second. */
export function importsQuery(projectId: string, page: number) {
  return {
    ...query(importsRoute, { params: { projectId }, query: { page, size: importsPerPage } }),
    refetchInterval: ({ state }: { state: { data?: { data: ContactImport[] } } }) =>
      (state.data?.data.some(isOpen) ? pollMs : false) as number | false,
  }
}

/** The latest imports of the project, whose mappings are remembered by their headers. */
export const latestImportsQuery = (projectId: string) =>
  query(importsRoute, { params: { projectId }, query: { page: 1, size: 100 } })

/** The first rows of the file that a dry run keeps. */
export const sampleQuery = (projectId: string, importId: string) =>
  query("GET /v1/projects/{projectId}/contact-imports/{importId}/sample", { params: { projectId, importId } })

export function importQuery(projectId: string, importId: string) {
  return {
    ...query(importRoute, { params: { projectId, importId } }),
    refetchInterval: ({ state }: { state: { data?: ContactImport } }) =>
      (state.data && isOpen(state.data) ? pollMs : false) as number | false,
  }
}

/** Refreshed every second while it has fewer than `failed`, the import's own count of refused rows. */
export function importErrorsQuery(projectId: string, importId: string, page: number, failed: number) {
  return {
    ...query(errorsRoute, {
      params: { projectId, importId },
      query: { page, size: errorsPerPage },
    }),
    refetchInterval: ({ state }: { state: { data?: { page: { total: number } } } }) =>
      (state.data && state.data.page.total < failed ? pollMs : false) as number | false,
  }
}

export function isOpen({ status }: ContactImport): boolean {
  return status === "queued" || status === "running"
}
