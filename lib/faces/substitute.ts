import { bodyBytesMax } from "@/lib/emails/message-rules"
import { fieldsInvalid } from "@/lib/platform/http/problems"

/** All names together. SendGrid's reference allows 10,000 bytes with their values. */
const namesCharsMax = 10_000

/**
 * A text with its placeholders replaced, all at once, so that a value which looks like a placeholder stays as it is. Takes time linear
 * in the text and the names.
 * @throws requestInvalid at `pointer` before the text becomes longer than a body may be
 */
export function substituted(text: string, values: Readonly<Record<string, string>>, pointer: string): string {
  const names = Object.keys(values).filter((name) => name !== "")
  if (names.length === 0) return text
  const refuse = (detail: string) => fieldsInvalid([{ pointer, detail }])
  const namesChars = names.reduce((sum, name) => sum + name.length, 0)
  if (namesChars > namesCharsMax) throw refuse(`The names of its values have more than ${namesCharsMax} characters.`)
  let length = text.length
  const refuseLong = () => {
    if (length > bodyBytesMax) throw refuse(`With its values, it is longer than ${bodyBytesMax} characters.`)
  }
  refuseLong()
  let filled = ""
  let from = 0
  for (const { at, name } of placesOf(names, text).reverse()) {
    // It overlaps with the one before it.
    if (at < from) continue
    const value = values[name] ?? ""
    length += value.length - name.length
    refuseLong()
    filled += text.slice(from, at) + value
    from = at + name.length
  }
  return filled + text.slice(from)
}

type Place = { at: number; name: string }

/** Where names begin, from the end of the text to its beginning; of two that begin at the same place, the longer. */
function placesOf(names: readonly string[], text: string): Place[] {
  const root = automatonOf(names)
  const endsName = new Uint8Array(2 ** 16)
  for (const name of names) endsName[name.charCodeAt(name.length - 1)] = 1
  const places: Place[] = []
  let state = root
  for (let at = text.length - 1; at >= 0; at--) {
    // Most characters of a text end no name.
    if (state === root && !endsName[text.charCodeAt(at)]) continue
    state = stateAfter(state, text.charAt(at), root)
    if (state.name !== undefined) places.push({ at, name: state.name })
  }
  return places
}

/** What was read last of a name, from its end. */
type State = {
  next: Map<string, State>
  /** The longest end of another name that was read, too. */
  shorter: State | undefined
  /** The longest name that begins here. */
  name: string | undefined
}

/** The automaton of Aho and Corasick (1975), for names that are read from their end: however alike they are, a text is read once. */
function automatonOf(names: readonly string[]): State {
  const root = newState()
  for (const name of names) {
    let state = root
    for (let at = name.length - 1; at >= 0; at--) {
      const known = state.next.get(name.charAt(at)) ?? newState()
      state.next.set(name.charAt(at), known)
      state = known
    }
    state.name = name
  }
  // Each before those that are longer.
  const states = [root]
  for (const state of states)
    for (const [character, longer] of state.next) {
      longer.shorter = state.shorter ? stateAfter(state.shorter, character, root) : root
      longer.name ??= longer.shorter.name
      states.push(longer)
    }
  return root
}

function newState(): State {
  return { next: new Map(), shorter: undefined, name: undefined }
}

function stateAfter(state: State, character: string, root: State): State {
  for (let at: State | undefined = state; at; at = at.shorter) {
    const next = at.next.get(character)
    if (next) return next
  }
  return root
}
