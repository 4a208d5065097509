"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import Link from "next/link"
import { useQueryStates } from "nuqs"
import { Fragment } from "react"
import { DayInput, FilterInput } from "@/components/data/filter-input"
import { objectPage } from "@/components/data/object-pages"
import { actionWords, actorWords, auditAreas, sentenceParts } from "@/components/logs/audit-words"
import { auditFilters, type AuditPage, auditQuery } from "@/components/logs/queries"
import { LogCard } from "@/components/logs/log-card"
import { filterSentence } from "@/components/segments/conditions"
import { Button } from "@/components/ui/button"
import { dateWords } from "@/components/ui/time-words"
import { EmptyState } from "@/components/ui/empty-state"
import { useTimeZone } from "@/components/ui/local-time"
import { RelativeTime } from "@/components/ui/relative-time"
import { Select } from "@/components/ui/select"
import { type Condition, type Group, isGroup, quantifierAndNodes } from "@/lib/segments/rules"

/** Who changed what in the organization; filters and place in the log are in the URL. */
export function AuditLog({ projectId }: { projectId: string }) {
  const [filters, setFilters] = useQueryStates(auditFilters)
  const page = useQuery({ ...auditQuery(projectId, filters, useTimeZone()), placeholderData: keepPreviousData })
  const { action, target, project, since, until, after } = filters
  const filtered = Boolean(action || target || project || since || until)
  const change = (part: Partial<typeof filters>, history: "push" | "replace" = "push") =>
    void setFilters({ ...part, after: "" }, { history })
  const known = auditAreas.some(([value]) => value === action)
  return (
    <>
      <div role="search" aria-label="Audit entries" className="mb-4 grid grid-cols-2 gap-2 xl:flex xl:flex-wrap">
        <FilterInput
          label="ID or address that was changed"
          value={target}
          onChange={(text, step) => change({ target: text }, step)}
          className="col-span-2 sm:w-full"
        />
        <Select
          aria-label="Area"
          className="xl:w-50"
          value={action}
          options={[
            { value: "", label: "All areas" },
            ...(action && !known ? [{ value: action, label: actionWords(action) }] : []),
            ...auditAreas.map(([value, label]) => ({ value, label })),
          ]}
          onChange={(event) => change({ action: event.target.value })}
        />
        <Select
          aria-label="Projects"
          className="xl:w-44"
          value={project ?? ""}
          options={[
            { value: "", label: "Whole organization" },
            { value: "this", label: "This project" },
          ]}
          onChange={(event) => change({ project: event.target.value === "this" ? "this" : null })}
        />
        <DayInput label="From" value={since} most={until} onChange={(day) => change({ since: day })} />
        <DayInput label="Until" value={until} least={since} onChange={(day) => change({ until: day })} />
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
                <Entry key={entry.id} projectId={projectId} entry={entry} />
              ))}
            </ul>
          ) : (
            <EmptyState title={filtered ? "No entry matches" : "No entries yet"}>
              {filtered ? "Change or clear the filters." : "Who changed what, and who signed in, appears here."}
            </EmptyState>
          )
        }
      </LogCard>
    </>
  )
}

type AuditEntry = AuditPage["data"][number]

function Entry({ projectId, entry }: { projectId: string; entry: AuditEntry }) {
  const { at, action, actor, changes } = entry
  const rows = changeRows(changes, useTimeZone())
  return (
    <li className="grid gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[136px_1fr]">
      <RelativeTime at={at} className="text-muted" />
      <div className="min-w-0">
        <p className="[overflow-wrap:anywhere]">
          {sentenceParts(action).map((part, at) => {
            if ("text" in part) return <Fragment key={at}>{part.text}</Fragment>
            return part.part === "actor" ? (
              <span key={at} className="font-medium">
                {actorWords(actor)}
              </span>
            ) : (
              <Target key={at} projectId={projectId} entry={entry} />
            )
          })}
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
        <EntryOrigin entry={entry} projectId={projectId} />
      </div>
    </li>
  )
}

/** Where it came from, and the request that did it, where a key made it. */
function EntryOrigin({
  projectId,
  entry: { ip, actor, requestId, ...entry },
}: {
  projectId: string
  entry: AuditEntry
}) {
  const logged = actor.kind === "key" && requestId !== undefined && entry.projectId === projectId
  if (!ip && !logged) return null
  return (
    <p className="mt-1 flex flex-wrap gap-x-2 text-xs text-faint">
      {ip ? <span>from {ip}</span> : null}
      {logged ? (
        <Link href={`/projects/${projectId}/logs/${requestId}`} prefetch={false} className="underline hover:text-text">
          Request
        </Link>
      ) : null}
    </p>
  )
}

/** What was changed, with a link where it has a page in this project. */
function Target({ projectId, entry }: { projectId: string; entry: AuditEntry }) {
  const { target, targetName } = entry
  const name = targetName ?? target
  if (name === undefined) return null
  const page = target !== undefined && entry.projectId === projectId ? objectPage(projectId, target) : null
  if (!page) return <span className="font-medium">{name}</span>
  return (
    <Link href={page.href} prefetch={false} className="font-medium hover:underline">
      {name}
    </Link>
  )
}

// What changed, in words

type ChangeRow = { name: string; before?: string; after: string }

const nothing = "nothing"

/** What changed, field by field, each named in words, with times in this zone. */
export function changeRows(changes: Record<string, unknown> | undefined, timeZone = "UTC"): ChangeRow[] {
  const textOf = (value: unknown) => valueText(value, timeZone)
  return changes ? rowsOf(changes, textOf).map((row) => ({ ...row, name: fieldWords(row.name) })) : []
}

/** With the value before where that is known, and only where the two differ. */
function rowsOf(changes: Record<string, unknown>, textOf: (value: unknown) => string): ChangeRow[] {
  const { before, after, ...rest } = changes
  const others = Object.entries(rest).flatMap(([name, value]) => {
    const pair = pairOf(value)
    if (pair) return [{ name, before: textOf(pair.before), after: textOf(pair.after) }]
    return value === undefined ? [] : [{ name, after: textOf(name === "fields" ? fieldsOf(value) : value) }]
  })
  if (!("before" in changes) && !("after" in changes)) return others
  if (!isRecord(before) && !isRecord(after))
    return [{ name: "value", before: textOf(before), after: textOf(after) }, ...others]
  const [was, is] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  const compared = names.map((name) => ({ name, before: textOf(was[name]), after: textOf(is[name]) }))
  return [...compared.filter((row) => row.before !== row.after), ...others]
}

/** Both values of one field; changes of roles and names call them `from` and `to`. */
function pairOf(value: unknown): { before: unknown; after: unknown } | null {
  if (!isRecord(value)) return null
  if ("before" in value && "after" in value) return { before: value.before, after: value.after }
  return "from" in value && "to" in value ? { before: value.from, after: value.to } : null
}

/** The names of the fields that changed, where their values are not kept. */
function fieldsOf(names: unknown): unknown {
  return Array.isArray(names) ? names.map((name) => fieldWords(String(name))) : names
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function valueText(value: unknown, timeZone: string): string {
  if (value === undefined || value === null || value === "") return nothing
  if (Array.isArray(value)) return value.length ? value.map((one) => valueText(one, timeZone)).join(", ") : nothing
  if (typeof value === "object") return isFilter(value) ? filterSentence(value) : JSON.stringify(value)
  if (typeof value !== "string" || !isoTime.test(value)) return String(value)
  return `${dateWords(value, { dateStyle: "medium", timeStyle: "medium", timeZone })}${timeZone === "UTC" ? " UTC" : ""}`
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

/** The filter of a segment, with a condition at least. */
function isFilter(value: unknown): value is Group {
  if (!isGroup(value)) return false
  const [, nodes] = quantifierAndNodes(value)
  return Array.isArray(nodes) && nodes.length > 0 && nodes.every((node) => isFilter(node) || isCondition(node))
}

function isCondition(value: unknown): value is Condition {
  return isRecord(value) && typeof value.field === "string" && typeof value.operator === "string"
}

const abbreviations = "API BIMI CSV DKIM DMARC DNS HTML HTTP HTTPS ID IP MX SMTP SPF TLS URL VMC".split(" ")

const units: Record<string, string> = { Ms: "ms", Seconds: "s", Minutes: "min", Hours: "h", Days: "days" }

/** Names whose own words would mislead, or that email writes in another way. */
const otherWords: Record<string, string> = {
  accepted24h: "Accepted (24 h)",
  avgDailyAccepted7d: "Accepted a day (average of 7 days)",
  mailFromDomain: "MAIL FROM domain",
  dailySends: "Sends a day",
  perDay: "Sends a day",
  perSecond: "Sends a second",
  perSecondSends: "Sends a second",
  start: "Key starts with",
  unsubRate: "Unsubscribe rate",
}

/** A field of the API in words: `defaultLifetimeSeconds` is "Default lifetime (s)". */
export function fieldWords(name: string): string {
  const known = otherWords[name]
  if (known) return known
  const words = name.split(/_|(?<=[a-z\d])(?=[A-Z])/)
  const unit = words.length > 1 ? units[words.at(-1) ?? ""] : undefined
  const text = (unit ? words.slice(0, -1) : words).map(wordOf).join(" ")
  return text.charAt(0).toUpperCase() + text.slice(1) + (unit ? ` (${unit})` : "")
}

function wordOf(word: string): string {
  const upper = word.toUpperCase()
  if (abbreviations.includes(upper)) return upper
  const singular = upper.replace(/S$/, "")
  return abbreviations.includes(singular) ? `${singular}s` : word.toLowerCase()
}
