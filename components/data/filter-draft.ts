/** What is in a filter's field, and what the page filters by. The second follows the first with a delay. */
export type FilterDraft = {
  text: string
  /** What the page filtered by when it was last rendered. */
  applied: string
  /** What the field asked for and the page has not rendered yet, oldest first. */
  asked: readonly string[]
}

export function newFilterDraft(applied: string): FilterDraft {
  return { text: applied, applied, asked: [] }
}

/** The field asks the page to filter by this. */
export function askFor(draft: FilterDraft, wanted: string): FilterDraft {
  return { ...draft, asked: [...draft.asked, wanted] }
}

/**
 * The page filters by this now. What the field asked for changes nothing in it: more may have been typed since. What
 * came another way, such as by the Back button, takes its place.
 */
export function applyFilter(draft: FilterDraft, value: string): FilterDraft {
  const at = draft.asked.indexOf(value)
  if (at < 0) return newFilterDraft(value)
  return { ...draft, applied: value, asked: draft.asked.slice(at + 1) }
}

/** Whether the page has yet to be asked for this. */
export function isNews({ applied, asked }: FilterDraft, wanted: string): boolean {
  return wanted !== (asked.at(-1) ?? applied)
}
