import { faceNames } from "@/lib/platform/env/fields"

type Node<T> = { next: Map<string, Node<T>>; any?: Node<T>; value?: T; rest?: T }

/**
 * Finds what is served at a path: `find` takes it without its query and returns null where nothing is. Templates are those of route
 * folders: `/v1/emails/[id]`, and `[...rest]` at the end for one part or more. A part with a name goes before `[id]`; where it
 * leads no further, the others are tried: `/emails/batch/stream` finds `/emails/[id]/stream` beside `/emails/batch`. As with
 * Next, an encoded name is none.
 */
export function pathTable<T>(templates: Iterable<readonly [template: string, value: T]>): (path: string) => T | null {
  const exact = new Map<string, T>()
  const root: Node<T> = { next: new Map() }
  for (const [template, value] of templates) {
    if (!template.includes("[")) exact.set(template, value)
    add(root, partsOf(template), value)
  }
  return (path) => exact.get(path) ?? find(root, partsOf(path), 0)
}

function partsOf(path: string): string[] {
  return path.slice(1).split("/")
}

function add<T>(root: Node<T>, parts: readonly string[], value: T) {
  let at = root
  for (const part of parts) {
    if (part.startsWith("[...")) {
      at.rest = value
      return
    }
    const found: Node<T> | undefined = part.startsWith("[") ? at.any : at.next.get(part)
    const next = found ?? { next: new Map<string, Node<T>>() }
    if (part.startsWith("[")) at.any = next
    else at.next.set(part, next)
    at = next
  }
  at.value = value
}

function find<T>(at: Node<T>, parts: readonly string[], depth: number): T | null {
  const part = parts[depth]
  if (part === undefined) return at.value ?? null
  const named = at.next.get(part)
  const found = (named && find(named, parts, depth + 1)) ?? (at.any && part ? find(at.any, parts, depth + 1) : null)
  return found ?? at.rest ?? null
}

const folders = ["/v1", ...faceNames.map((name) => `/${name}`)]

/** Whether a path is one of the API, our own or that of another service, and not of a page. */
export function isOfApi(path: string): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`))
}
