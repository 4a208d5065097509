import type { Token } from "parse5"
import { readTags } from "@/lib/emails/links/html-tags"
import { parseUrl } from "@/lib/platform/url-rules"

/** What of an email is tracked. `marks` are images further down, which some clients load only when they come into view. */
export type Wanted = { opens: boolean; clicks: boolean; reading: boolean; marks: boolean }

/** Writes the URLs of the tracked message. */
export type TrackedUrls = {
  link(number: number): string
  image(kind: "open" | "read" | "mark", percent?: number): string
}

/** The attribute with which the author of an email leaves a link as it is. */
export const untrackedAttribute = "data-mailroom-no-track"

/** Links of one email that are tracked, and the longest URL; the others are left as they are. */
export const linksMax = 1_000
export const urlCharsMax = 2_048

/** An email with fewer characters of text fits on one screen. */
const shortChars = 1_200

/** Where in the text the marks are. */
const markPercents = [25, 50, 75, 100] as const

/**
 * The HTML with its links led through us and with our images added. Nothing else changes: not a byte outside the values of
 * these attributes. `urls` are the targets, by their numbers; `leaves` names URLs that stay as they are. `bodyEnd` is where
 * something may be added after all that is shown.
 */
export function trackHtml(
  html: string,
  wanted: Wanted,
  urls: TrackedUrls,
  leaves: (url: URL) => boolean,
): { html: string; bodyEnd: number; urls: string[]; short: boolean } {
  const { hrefs, bodyEnd, blocks, textChars } = planOf(html)
  const targets = new Map<string, number>()
  const edits: Edit[] = []
  for (const href of wanted.clicks ? hrefs : []) {
    const target = targetOf(href.url)
    if (!target || leaves(target)) continue
    const known = targets.get(target.href)
    if (known === undefined && targets.size >= linksMax) continue
    const number = known ?? targets.size
    targets.set(target.href, number)
    edits.push({ start: href.start, end: href.end, text: urls.link(number) })
  }
  const short = textChars < shortChars
  if (wanted.marks && !short) {
    for (const percent of markPercents) {
      const at =
        percent === 100 ? bodyEnd : (blocks.find(({ after }) => after >= (textChars * percent) / 100)?.at ?? bodyEnd)
      edits.push({ start: at, end: at, text: image(urls.image("mark", percent), true) })
    }
  }
  const images = [
    ...(wanted.opens ? [image(urls.image("open"))] : []),
    ...(wanted.reading ? [image(urls.image("read"))] : []),
  ]
  edits.push({ start: bodyEnd, end: bodyEnd, text: images.join("") })
  const added = edits.reduce(
    (sum, { start, end, text }) => (start > bodyEnd ? sum : sum + text.length - (end - start)),
    0,
  )
  return { html: edited(html, edits), bodyEnd: bodyEnd + added, urls: [...targets.keys()], short }
}

type Edit = { start: number; end: number; text: string }

/** No escaping needed: these URLs are an origin and base64url. */
function image(url: string, lazy = false): string {
  const style = "border:0;width:1px;height:1px"
  return `<img src="${url}" width="1" height="1" alt=""${lazy ? ' loading="lazy"' : ""} style="${style}">`
}

/** A target of http or https without credentials, in ASCII as a browser requests it; null for any other URL. */
function targetOf(text: string): URL | null {
  const url = /^\s*https?:\/\//i.test(text) ? parseUrl(text) : null
  if (!url) return null
  const isPlain = url.username === "" && url.password === "" && /^https?:$/.test(url.protocol)
  return isPlain && url.href.length <= urlCharsMax ? url : null
}

type Plan = {
  /** Values of the attributes, quotes excluded. */
  hrefs: { start: number; end: number; url: string }[]
  /** Before the last end tag of the body, or the end, but never inside a comment, a script or a tag that does not end. */
  bodyEnd: number
  /** Positions at which a paragraph or cell begins, and the characters of text before each. */
  blocks: { at: number; after: number }[]
  textChars: number
}

/** The messages of one send have the same HTML, and those of a few sends are under way at once. */
const plans = new Map<string, Plan>()
const plansMax = 8
const rememberedCharsMax = 256 * 1024

function planOf(html: string): Plan {
  const plan = plans.get(html) ?? readPlan(html)
  if (html.length > rememberedCharsMax) return plan
  plans.delete(html)
  plans.set(html, plan)
  const [oldest] = plans.keys()
  if (plans.size > plansMax && oldest !== undefined) plans.delete(oldest)
  return plan
}

/** Where something may be added after all that the HTML shows. */
export function bodyEndOf(html: string): number {
  return planOf(html).bodyEnd
}

const blockNames = new Set(["p", "td", "th", "div", "li", "h1", "h2", "h3", "h4", "section", "article"])
const blocksMax = 20_000

function readPlan(html: string): Plan {
  const plan: Plan = { hrefs: [], bodyEnd: -1, blocks: [], textChars: 0 }
  let hidden = ""
  let safeEnd = 0
  readTags(
    html,
    {
      onStart(tag) {
        if (["style", "script", "title"].includes(tag.tagName)) hidden = tag.tagName
        const value = valueOf(html, tag)
        if (value) plan.hrefs.push(value)
        const at = tag.location?.endOffset
        if (at !== undefined && blockNames.has(tag.tagName) && !tag.selfClosing && plan.blocks.length < blocksMax)
          plan.blocks.push({ at, after: plan.textChars })
      },
      onEnd(tag) {
        if (tag.tagName === hidden) hidden = ""
        if (tag.tagName === "body" && tag.location) plan.bodyEnd = tag.location.startOffset
      },
      onText(text) {
        if (!hidden) plan.textChars += text.replace(/\s+/g, " ").length
      },
      onSafe: (end) => (safeEnd = end),
    },
    { withPositions: true },
  )
  if (plan.bodyEnd < 0) plan.bodyEnd = html.slice(safeEnd).trim() === "" ? html.length : safeEnd
  return plan
}

/** Where the target of a hyperlink is written; null if there is none, or its author wants it left alone. */
function valueOf(html: string, tag: Token.TagToken): Plan["hrefs"][number] | null {
  if (tag.tagName !== "a" && tag.tagName !== "area") return null
  const href = tag.attrs.find(({ name }) => name === "href")
  const position = tag.location?.attrs?.href
  if (!href || !position || tag.attrs.some(({ name }) => name === untrackedAttribute)) return null
  const written = html.slice(position.startOffset, position.endOffset)
  const [before, quote = ""] = /^href\s*=\s*(["']?)/i.exec(written) ?? []
  if (before === undefined || (quote && !(written.length > before.length && written.endsWith(quote)))) return null
  return { start: position.startOffset + before.length, end: position.endOffset - quote.length, url: href.value }
}

/** Edits never overlap; those at one position keep their order. */
function edited(html: string, edits: readonly Edit[]): string {
  let from = 0
  const parts: string[] = []
  for (const { start, end, text } of edits.toSorted((a, b) => a.start - b.start)) {
    parts.push(html.slice(from, start), text)
    from = end
  }
  parts.push(html.slice(from))
  return parts.join("")
}
