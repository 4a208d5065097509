"use client"

import { useQueries } from "@tanstack/react-query"
import { formatNumber } from "@/lib/platform/format"
import { query } from "@/components/data/query"

/** What is removed with a project, counted as the dialog opens. */
export function Belongings({ projectId }: { projectId: string }) {
  const one = { params: { projectId }, query: { page: 1, size: 1 } }
  const [emails, contacts, settings] = useQueries({
    queries: [
      { ...query("GET /v1/projects/{projectId}/emails", one), staleTime: 0 },
      { ...query("GET /v1/projects/{projectId}/contacts", one), staleTime: 0 },
      { ...query("GET /v1/projects/{projectId}/settings", { params: { projectId } }), staleTime: 0 },
    ],
  })
  const counts = [
    { label: "Emails", total: emails.data?.page.total },
    { label: "Contacts", total: contacts.data?.page.total },
    { label: "Domains", total: settings.data?.limits.maxDomains.used },
    { label: "API keys", total: settings.data?.limits.maxApiKeys.used },
  ]
  return (
    <dl className="mt-2 grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4">
      {counts.map(({ label, total }) => (
        <div key={label}>
          <dt className="text-sm">{label}</dt>
          <dd className="font-semibold text-text tabular-nums">{total === undefined ? "…" : formatNumber(total)}</dd>
        </div>
      ))}
    </dl>
  )
}
