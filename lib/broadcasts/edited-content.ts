import type { BroadcastContent, Entry } from "@/lib/broadcasts/content-schema"
import { entryText, type StoredBroadcast, wireOf } from "@/lib/broadcasts/data"
import { type BroadcastTemplate, contentFrom, writtenFrom } from "@/lib/broadcasts/from-template"
import { type BroadcastChange, NewBroadcast } from "@/lib/broadcasts/schema"
import { givenByTemplate } from "@/lib/emails/send/schema"
import { parseBody } from "@/lib/platform/http/perform"
import { fieldsInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"

/** Undefined where the template does not change, null where there is none from now on. */
type Edited = { content: BroadcastContent; entries: Entry[]; template: BroadcastTemplate | null | undefined }

/** What a broadcast has after a change, checked as a new one. @throws requestInvalid with every fault */
export async function contentAfter(
  scope: Scope,
  stored: StoredBroadcast,
  { template: ref, to, scheduledAt: _at, unchangedSince: _since, placeholders, ...fields }: BroadcastChange,
): Promise<Edited> {
  const isOfTemplate = ref === undefined && (stored.template?.id ?? null) !== null
  if (ref || isOfTemplate) refuseContent({ ...fields, placeholders })
  const { template, ...given } = ref ? cleared(await contentFrom(scope, ref)) : { template: ref }
  const change = { ...wireOf(fields), ...given }
  const edited = checked({ ...stored.content, ...whatIsGiven(change) }, to?.map(entryText) ?? stored.entries)
  if (ref || isOfTemplate) return { ...edited, template }
  const isWritten = placeholders ?? stored.template?.id === null
  if (isWritten) return { ...edited, template: await writtenFrom(scope, edited.content) }
  return { ...edited, template: stored.template ? null : undefined }
}

/** A template may give one body alone: the other one of before is cleared. */
function cleared({ html, text, ...given }: Awaited<ReturnType<typeof contentFrom>>) {
  return { ...given, html: html ?? null, text: text ?? null }
}

/** @throws requestInvalid for what the template gives */
function refuseContent({ subject, html, text, placeholders }: Partial<BroadcastChange>): void {
  const given = Object.entries({ subject, html, text, placeholders }).filter(([, value]) => value)
  if (given.length) throw fieldsInvalid(given.map(([field]) => ({ pointer: `/${field}`, detail: givenByTemplate })))
}

/** Fields that the change leaves out stay as they are. */
function whatIsGiven(change: object): object {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

function checked(content: object, to: readonly string[]): Omit<Edited, "template"> {
  const given = Object.entries({ ...content, to }).filter(([, value]) => value !== null)
  const {
    draft: _draft,
    scheduledAt: _at,
    idempotencyKey: _key,
    template: _template,
    placeholders: _placeholders,
    to: entries,
    subject = "",
    ...rest
  } = parseBody(NewBroadcast, Object.fromEntries(given))
  return { content: { ...rest, subject }, entries }
}
