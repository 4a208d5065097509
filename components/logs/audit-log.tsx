"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useQueryStates } from "nuqs"
import { FilterInput } from "@/components/data/filter-input"
import { changeRows } from "@/components/logs/changes"
import { auditFilters } from "@/components/logs/filters"
import { LogCard } from "@/components/logs/log-card"
import { auditQuery, type AuditPage } from "@/components/logs/queries"
import { Button } from "@/components/ui/button"
import { EmptyState } from "@/components/ui/empty-state"
import { RelativeTime } from "@/components/ui/relative-time"
import { Select } from "@/components/ui/select"

const areas = [
  ["api_key", "API keys"],
  ["domain", "Domains"],
  ["webhook", "Webhooks"],
  ["member", "Members"],
  ["invite", "Invites"],
  ["user", "Accounts"],
  ["project", "Projects"],
  ["organization", "Organization"],
  ["contact", "Contacts"],
  ["segments", "Segments"],
  ["suppressions", "Suppressions"],
] as const

/** Who changed what in the organization; filters and place in the log are in the URL. */
export function AuditLog({ projectId }: { projectId: string }) {
  const [filters, setFilters] = useQueryStates(auditFilters)
  const page = useQuery({ ...auditQuery(projectId, filters), placeholderData: keepPreviousData })
  const { action, target, project, after } = filters
  const filtered = Boolean(action || target || project)
  const change = (part: Partial<typeof filters>, history: "push" | "replace" = "push") =>
    void setFilters({ ...part, after: "" }, { history })
  const known = areas.some(([value]) => value === action)
  return (
    <>
      <div role="search" aria-label="Audit entries" className="mb-4 grid grid-cols-2 gap-2 lg:flex">
        <FilterInput
          label="ID or address that was changed"
          value={target}
          onChange={(text, step) => change({ target: text }, step)}
          className="col-span-2 sm:w-full lg:w-auto lg:flex-1"
        />
        <Select
          aria-label="Area"
          className="lg:w-50"
          value={action}
          options={[
            { value: "", label: "All areas" },
            ...(action && !known ? [{ value: action, label: action }] : []),
            ...areas.map(([value, label]) => ({ value, label })),
          ]}
          onChange={(event) => change({ action: event.target.value })}
        />
        <Select
          aria-label="Projects"
          className="lg:w-50"
          value={project ?? ""}
          options={[
            { value: "", label: "Whole organization" },
            { value: "this", label: "This project" },
          ]}
          onChange={(event) => change({ project: event.target.value === "this" ? "this" : null })}
        />
        {filtered ? (
          <Button variant="ghost" onClick={() => void setFilters(null, { history: "push" })}>
            Clear
          </Button>
        ) : null}
      </div>
      <LogCard
        label="Audit entries"
        loading="Loading audit entries"
        page={page}
        after={after}
        onAfter={(next) => void setFilters({ after: next }, { history: "push" })}
      >
        {({ data }) =>
          data.length ? (
            <ul className="divide-y divide-line">
              {data.map((entry) => (
                <Entry key={entry.id} entry={entry} onAction={(wanted) => change({ action: wanted })} />
              ))}
            </ul>
          ) : (
            <EmptyState title={filtered ? "No entry matches" : "No entries yet"}>
              {filtered
                ? "Change or clear the filters."
                : "Changes to keys, domains, members and settings appear here."}
            </EmptyState>
          )
        }
      </LogCard>
    </>
  )
}

const actors: Record<string, string> = {
  operator: "The operator",
  system: "The service",
  recipient: "A recipient",
  key: "An API key",
  user: "A user who left",
}

function Entry({ entry, onAction }: { entry: AuditPage["data"][number]; onAction: (action: string) => void }) {
  const { at, action, actor, target, changes, ip } = entry
  const rows = changeRows(changes)
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[136px_1fr]">
      <RelativeTime at={at} className="text-muted" />
      <div className="min-w-0">
        <p className="[overflow-wrap:anywhere]">
          <span className="font-medium">{actor.name ?? actors[actor.kind] ?? actor.kind}</span>{" "}
          <Button variant="link" onClick={() => onAction(action)} title={`Only ${action}`}>
            <code>{action}</code>
          </Button>{" "}
          {target ? <code className="text-muted">{target}</code> : null}
        </p>
        {rows.length ? (
          <dl className="mt-1.5 grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[minmax(96px,auto)_1fr]">
            {rows.map(({ name, before, after }) => (
              <div key={name} className="contents">
                <dt className="text-muted">{name}</dt>
                <dd className="mono min-w-0 [overflow-wrap:anywhere]">
                  {before === undefined ? null : (
                    <>
                      <span className="sr-only">before: </span>
                      <del className="text-muted">{before}</del> <span aria-hidden="true">→</span>{" "}
                      <span className="sr-only">after: </span>
                    </>
                  )}
                  {after}
                </dd>
              </div>
            ))}
          </dl>
        ) : null}
        {ip ? <p className="mt-1 text-xs text-faint">from {ip}</p> : null}
      </div>
    </li>
  )
}
