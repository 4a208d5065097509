import type { z } from "zod"
import { cutDetail, type FieldProblem, type Problem, problemBounds } from "@/lib/platform/http/problem"
import { requestInvalid } from "@/lib/platform/http/problems"
import { unionSentence, withArticle } from "@/lib/platform/schema"

/** What is wrong with a request, field by field; it is full at as many as a problem may name. */
export class Faults {
  private readonly found: FieldProblem[] = []
  private readonly pointers = new Set<string>()

  get full(): boolean {
    return this.found.length === problemBounds.errors
  }

  get any(): boolean {
    return this.found.length > 0
  }

  /** Adds nothing once it is full, so a caller with many faults may stop then. Of several faults of one value, the first counts. */
  add(pointer: string, detail: string) {
    const shown = cutDetail(pointer, problemBounds.pointerChars)
    // Of pointers that are cut off nobody can tell whether they are the same.
    if (this.full || (this.pointers.has(shown) && shown.length < problemBounds.pointerChars)) return
    this.pointers.add(shown)
    this.found.push({ pointer: shown, detail: cutDetail(detail, problemBounds.detailChars) })
  }

  /** The refusal that names them all. */
  problem(): Problem {
    const [first] = this.found
    const more = this.full ? " (and more)" : this.found.length > 1 ? ` (and ${this.found.length - 1} more)` : ""
    const sentence = first ? `${first.pointer || "The body"}: ${first.detail}${more}` : undefined
    return requestInvalid(sentence, { errors: this.found })
  }
}

/** The JSON Pointer of a member. It grows no further than a problem shows, however long and deep the names are. */
export function pointerTo(parent: string, name: string | number): string {
  if (parent.length > problemBounds.pointerChars) return parent
  return `${parent}/${escapePointer(String(name).slice(0, problemBounds.pointerChars + 1))}`
}

/** Where a value is within a body: the JSON Pointer is built only for values with a fault. */
export type ValuePath = string | { parent: ValuePath; name: string | number }

export function pointerOf(path: ValuePath): string {
  return typeof path === "string" ? path : pointerTo(pointerOf(path.parent), path.name)
}

/** A name escaped for a JSON Pointer (RFC 6901). */
function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1")
}

type Issue = z.core.$ZodIssue

/** Adds zod's issues as faults with their pointers; an unknown field is its own fault. */
export function addIssues(issues: readonly Issue[], faults: Faults, parent = "") {
  for (const issue of issues) {
    if (faults.full) return
    const at = issue.path.reduce<string>((pointer, part) => pointerTo(pointer, part as string | number), parent)
    if (issue.code === "unrecognized_keys") addUnknown(issue.keys, faults, at)
    else if (issue.code === "invalid_union") addUnion(issue, faults, at)
    else faults.add(at, wordsOf(issue))
  }
}

function addUnknown(names: readonly string[], faults: Faults, parent: string) {
  for (const name of names) {
    if (faults.full) return
    faults.add(pointerTo(parent, name), "Unknown field.")
  }
}

/** Of the types that a value may have, reports the faults of the one that the caller meant. */
function addUnion(issue: z.core.$ZodIssueInvalidUnion, faults: Faults, at: string) {
  const meant = issue.errors.find((errors) => !errors.some(isOfWrongKind))
  if (meant?.length) addIssues(meant, faults, at)
  else faults.add(at, wordsOf(issue))
}

function isOfWrongKind({ code, path }: Issue): boolean {
  return code === "invalid_type" && path.length === 0
}

/** Of a value that none of the forms takes, the forms; every other sentence is the schema's own or `sentenceFor`'s. */
function wordsOf(issue: Issue): string {
  return issue.code === "invalid_union" && issue.message === unionSentence ? kindsOf(issue) : issue.message
}

function kindsOf({ errors, ...issue }: z.core.$ZodIssueInvalidUnion): string {
  const kinds = errors
    .flat()
    .flatMap((error) => (error.code === "invalid_type" && error.path.length === 0 ? [withArticle(error.expected)] : []))
  if (kinds.length) return `Must be ${[...new Set(kinds)].join(" or ")}.`
  const { options } = issue as { options?: readonly unknown[] }
  return options ? `Must be one of ${options.join(", ")}.` : unionSentence
}
