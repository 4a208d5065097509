import type { BroadcastContent, Entry } from "@/lib/broadcasts/content-schema"
import { entryText, type StoredBroadcast, wireOf } from "@/lib/broadcasts/data"
import { type BroadcastTemplate, contentFrom } from "@/lib/broadcasts/from-template"
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
  { template: ref, to, scheduledAt: _at, ...fields }: BroadcastChange,
): Promise<Edited> {
  if (ref === undefined ? stored.template : ref) refuseContent(fields)
  const { template, ...given } = ref ? cleared(await contentFrom(scope, ref)) : { template: ref }
  const change = { ...wireOf(fields), ...given }
  return { ...checked({ ...stored.content, ...whatIsGiven(change) }, to?.map(entryText) ?? stored.entries), template }
}

/** A template may give one body alone: the other one of before is cleared. */
function cleared({ html, text, ...given }: Awaited<ReturnType<typeof contentFrom>>) {
  return { ...given, html: html ?? null, text: text ?? null }
}

/** @throws requestInvalid for what the template gives */
function refuseContent({ subject, html, text }: Pick<BroadcastChange, "subject" | "html" | "text">): void {
  const given = Object.entries({ subject, html, text }).filter(([, value]) => value)
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
    to: entries,
    subject = "",
    ...rest
  } = parseBody(NewBroadcast, Object.fromEntries(given))
  return { content: { ...rest, subject }, entries }
}
