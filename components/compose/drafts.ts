import { noFields, type Fields } from "@/components/compose/fields"

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

export function dropDraft(projectId: string, id: string): void {
  write(
    projectId,
    readDrafts(projectId).filter((draft) => draft.id !== id),
  )
}

/** Whether there is something in it that would be missed. */
export function isWorthKeeping({ to, subject, html, text }: Fields): boolean {
  return [to, subject, html, text].some((field) => field.trim() !== "")
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
