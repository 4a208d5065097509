"use client"

import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState, useCallback } from "react"
import type { CheckedRecipient } from "@/components/compose/check"
import type { ComposeFault } from "@/components/compose/faults"
import { type Fields, noFields, choicesOf, pairsOf } from "@/components/compose/fields"
import { type Broadcast, broadcastQuery } from "@/components/broadcasts/queries"
import { isEditable, topicIn } from "@/components/compose/addresses"
import { call, problemOf } from "@/components/data/call"
import { localTime } from "@/components/ui/time-words"

/** What every part of the form is given: the fields, how to change some of them, and what is wrong with each. */
export type KeptDraft = {
  fields: Fields
  change: (part: Partial<Fields>) => void
  errorOf: (field: keyof Fields) => string | undefined
  recipients: CheckedRecipient[]
}

/** The id of a field's control, to which the summary of faults leads. */
export function controlId(field: keyof Fields): string {
  return `compose-${field}`
}

/** All that is wrong with one field, in one line. */
export function messageOf(faults: ComposeFault[], field: keyof Fields): string | undefined {
  return faults.flatMap((fault) => (fault.field === field ? fault.message : [])).join(" ") || undefined
}

/** What has been written and not been sent, kept in this browser. Files are not kept: they can be larger than what it stores. */
export type StoredDraft = { id: string; savedAt: number; fields: Fields }

/** Of a project; the oldest go first. */
const draftsMax = 20

/** Newest first; none where the browser stores nothing, or what it stores is not ours. */
export function readDrafts(
  projectId: string,
  storage: Pick<Storage, "getItem"> | null = browserStorage(),
): StoredDraft[] {
  try {
    const read: unknown = JSON.parse(storage?.getItem(keyOf(projectId)) ?? "[]")
    if (!Array.isArray(read)) return []
    return read
      .filter(isDraft)
      .map((draft) => ({ ...draft, fields: { ...noFields, ...draft.fields, attachments: [] } }))
  } catch {
    return []
  }
}

/** Keeps a draft in place of its earlier state. @throws if the browser has no room or refuses to store */
export function keepDraft(projectId: string, draft: StoredDraft): void {
  const others = readDrafts(projectId).filter(({ id }) => id !== draft.id)
  write(projectId, [{ ...draft, fields: { ...draft.fields, attachments: [] } }, ...others].slice(0, draftsMax))
}

type Known = Pick<StoredDraft, "id" | "savedAt">

/** Whether another tab has kept something in the draft since it was known to be so. */
function isKeptSince(projectId: string, { id, savedAt }: Known): boolean {
  return readDrafts(projectId).some((draft) => draft.id === id && draft.savedAt > savedAt)
}

function dropDraft(projectId: string, known: Known): void {
  if (isKeptSince(projectId, known)) return
  write(
    projectId,
    readDrafts(projectId).filter(({ id }) => id !== known.id),
  )
}

/** Whether there is something in it that would be missed. */
export function isWorthKeeping({ to, subject, html, text, template }: Fields): boolean {
  return [to, subject, html, text, template].some((field) => field.trim() !== "")
}

function write(projectId: string, drafts: StoredDraft[]) {
  const storage = browserStorage()
  if (drafts.length) storage?.setItem(keyOf(projectId), JSON.stringify(drafts))
  else storage?.removeItem(keyOf(projectId))
}

/** Absent on the server, and where the browser forbids it. */
function browserStorage(): Storage | null {
  try {
    return typeof window === "undefined" ? null : window.localStorage
  } catch {
    return null
  }
}

function keyOf(projectId: string): string {
  return `mailroom.drafts.${projectId}`
}

function isDraft(read: unknown): read is StoredDraft {
  if (typeof read !== "object" || read === null) return false
  const { id, savedAt, fields } = read as Record<string, unknown>
  return typeof id === "string" && typeof savedAt === "number" && typeof fields === "object" && fields !== null
}

export type Kept =
  | { state: "none" }
  | { state: "saving" }
  | { state: "full" }
  | { state: "saved"; at: number }
  /** In a draft on the server; `changed` by somebody else, `refused` for what the API says. */
  | { state: "shared"; at: number }
  | { state: "changed" }
  | { state: "refused"; why: string }

const pauseMs = 400

export function newDraftId(): string {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`
}

type OwnDraft = { id: string; savedAt: number | null; enabled: boolean }

/**
 * Keeps the fields as a draft shortly after each change; `done` forgets it, when it was sent or discarded. What another tab has
 * kept in the same draft stays: from then on these fields have one of their own, whose id is the one returned.
 */
export function useDraft(projectId: string, { id, savedAt, enabled }: OwnDraft, fields: Fields) {
  const [kept, setKept] = useState<Kept>(savedAt === null ? { state: "none" } : { state: "saved", at: savedAt })
  const [ownId, setOwnId] = useState(id)
  const own = useRef({ id, savedAt: savedAt ?? 0 })
  const initial = useRef(fields)
  const last = useRef(fields)
  const over = useRef(false)
  const save = useRef(() => undefined as void)
  useEffect(() => {
    save.current = () => {
      // Whoever leaves a tab that has nothing new does not put it over what another tab has kept.
      if (!enabled || over.current || fields === last.current) return
      const at = Date.now()
      try {
        if (isWorthKeeping(fields)) {
          own.current = { id: isKeptSince(projectId, own.current) ? newDraftId() : own.current.id, savedAt: at }
          keepDraft(projectId, { ...own.current, fields })
          setOwnId(own.current.id)
          // What the address began is the draft now: a reload opens this, and does not begin again.
          if (location.pathname.endsWith("/compose") && location.search)
            history.replaceState(null, "", location.pathname)
        } else dropDraft(projectId, own.current)
        last.current = fields
        setKept(isWorthKeeping(fields) ? { state: "saved", at } : { state: "none" })
      } catch {
        setKept({ state: "full" })
      }
    }
    if (!enabled || fields === initial.current) return
    setKept({ state: "saving" })
    const timer = setTimeout(() => save.current(), pauseMs)
    return () => clearTimeout(timer)
  }, [fields, projectId, enabled])
  // Whoever leaves within the pause finds the last word as well.
  useEffect(() => {
    const flush = () => save.current()
    window.addEventListener("pagehide", flush)
    return () => {
      window.removeEventListener("pagehide", flush)
      flush()
    }
  }, [])
  function done() {
    over.current = true
    dropDraft(projectId, own.current)
  }
  return { id: ownId, kept, done }
}

const route = "PATCH /v1/projects/{projectId}/broadcasts/{broadcastId}"

/** A draft as the form shows it. Its attachments stay with it unless others are attached. */
export function fieldsOfBroadcast(draft: Broadcast): Fields {
  const { from, to, subject, html = "", text = "", replyTo = "", template, scheduledAt, testMode } = draft
  const audience = to.join("\n")
  return {
    ...noFields,
    ...{ from, to: audience, replyTo, testMode, sendTimeCategory: draft.sendTimeCategory },
    topicId: topicIn(audience) ? "" : (draft.topicId ?? ""),
    ...(template ? { template: template.id, templateValues: template.variables } : { subject, html, text }),
    headers: pairsOf(draft.headers),
    tags: pairsOf(draft.tags),
    metadata: pairsOf(draft.metadata),
    tracking: choicesOf(draft.trackingSettings ?? {}),
    giveUpHours: draft.giveUpAfterSeconds ? String(draft.giveUpAfterSeconds / 3600) : "",
    ...(scheduledAt ? { when: "later", scheduledAt: localTime(new Date(scheduledAt)) } : {}),
  }
}

const storePauseMs = 800

/** Who types without a pause is saved this long after the first change. */
const storeLatestMs = 5_000

type StoredKept = {
  kept: Kept
  /** Saves what is not saved yet. @throws the API's problem */
  save: () => Promise<void>
  /** Saves over what somebody else saved meanwhile. */
  overwrite: () => Promise<void>
}

/** Keeps the fields in a draft that everybody of the project sees. What somebody else saved meanwhile is never overwritten unasked. */
export function useStoredDraft(projectId: string, stored: Broadcast | null, fields: Fields): StoredKept {
  const [kept, setKept] = useState<Kept>(
    stored ? { state: "shared", at: Date.parse(stored.updatedAt) } : { state: "none" },
  )
  const client = useQueryClient()
  const latest = useRef({ draft: stored, fields, saved: fields, isChanged: false, unsavedSince: null as number | null })
  const running = useRef<Promise<void>>(Promise.resolve())
  useEffect(() => {
    latest.current.fields = fields
  }, [fields])

  const write = useCallback(async () => {
    const { draft, fields: now, saved } = latest.current
    if (!draft || now === saved) return
    latest.current.unsavedSince = null
    try {
      const params = { projectId, broadcastId: draft.id }
      const { draftChange } = await import("@/components/compose/broadcast")
      const body = { ...draftChange(now, draft), unchangedSince: draft.updatedAt }
      const next = await call(route, { params, body })
      Object.assign(latest.current, { draft: next, saved: now, isChanged: false })
      const at = Date.parse(next.updatedAt)
      // Back opens the form with what was saved last; what the form has no field for would close it.
      if (isEditable(next)) client.setQueryData(broadcastQuery(projectId, draft.id).queryKey, next, { updatedAt: at })
      setKept(latest.current.fields === now ? { state: "shared", at } : { state: "saving" })
    } catch (error) {
      const { code, detail, title, errors } = problemOf(error)
      latest.current.isChanged = code === "broadcast.changed_meanwhile"
      const why = errors?.map((one) => one.detail).join(" ") ?? detail ?? title
      setKept(latest.current.isChanged ? { state: "changed" } : { state: "refused", why })
      throw error
    }
  }, [projectId, client])

  /** One save at a time: each builds on the one before. */
  const save = useCallback(() => {
    const next = running.current.catch(() => undefined).then(write)
    running.current = next
    return next
  }, [write])

  const overwrite = useCallback(async () => {
    const { draft } = latest.current
    if (!draft) return
    const params = { projectId, broadcastId: draft.id }
    const theirs = await call("GET /v1/projects/{projectId}/broadcasts/{broadcastId}", { params })
    Object.assign(latest.current, { draft: theirs, isChanged: false })
    await save()
  }, [projectId, save])

  useEffect(() => {
    if (!stored || fields === latest.current.saved || latest.current.isChanged) return
    setKept({ state: "saving" })
    latest.current.unsavedSince ??= Date.now()
    const leftMs = latest.current.unsavedSince + storeLatestMs - Date.now()
    const timer = setTimeout(() => void save().catch(() => undefined), Math.min(storePauseMs, leftMs))
    return () => clearTimeout(timer)
  }, [fields, stored, save])

  return { kept, save, overwrite }
}
