import { cutText, problemBounds, type FieldProblem, type Problem } from "@/lib/platform/http/problem"
import { requestInvalid } from "@/lib/platform/http/problems"

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
    const shown = cutText(pointer, problemBounds.pointerChars)
    // Of pointers that are cut off nobody can tell whether they are the same.
    if (this.full || (this.pointers.has(shown) && shown.length < problemBounds.pointerChars)) return
    this.pointers.add(shown)
    this.found.push({ pointer: shown, detail: cutText(detail, problemBounds.detailChars) })
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
