import type { z } from "zod"
import { pointerTo, type Faults } from "@/lib/platform/http/faults"
import { unionSentence, withArticle } from "@/lib/platform/schema-errors"

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
