"use client"

import { useCallback, useEffect, useRef, useState } from "react"
import type { Broadcast } from "@/components/broadcasts/queries"
import { topicIn } from "@/components/compose/addresses"
import type { Kept } from "@/components/compose/drafts"
import { choicesOf, type Fields, noFields, pairsOf } from "@/components/compose/fields"
import { call, problemOf } from "@/components/data/call"
import { localTime } from "@/components/ui/date-words"

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

const pauseMs = 800

export type StoredKept = {
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
  const latest = useRef({ draft: stored, fields, saved: fields, isChanged: false })
  const running = useRef<Promise<void>>(Promise.resolve())
  useEffect(() => {
    latest.current.fields = fields
  }, [fields])

  const write = useCallback(async () => {
    const { draft, fields: now, saved } = latest.current
    if (!draft || now === saved) return
    try {
      const params = { projectId, broadcastId: draft.id }
      const { draftChange } = await import("@/components/compose/draft-change")
      const body = { ...draftChange(now, draft), unchangedSince: draft.updatedAt }
      const next = await call(route, { params, body })
      Object.assign(latest.current, { draft: next, saved: now, isChanged: false })
      setKept({ state: "shared", at: Date.parse(next.updatedAt) })
    } catch (error) {
      const { code, detail, title, errors } = problemOf(error)
      latest.current.isChanged = code === "broadcast.changed_meanwhile"
      const why = errors?.map((one) => one.detail).join(" ") ?? detail ?? title
      setKept(latest.current.isChanged ? { state: "changed" } : { state: "refused", why })
      throw error
    }
  }, [projectId])

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
    latest.current.draft = await call("GET /v1/projects/{projectId}/broadcasts/{broadcastId}", { params })
    await save()
  }, [projectId, save])

  useEffect(() => {
    if (!stored || fields === latest.current.saved || latest.current.isChanged) return
    const timer = setTimeout(() => void save().catch(() => undefined), pauseMs)
    return () => clearTimeout(timer)
  }, [fields, stored, save])

  return { kept, save, overwrite }
}
