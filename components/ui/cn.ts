import { clsx, type ClassValue } from "clsx"

/** Joins class names; a later utility wins over an earlier one of the same kind. */
export function cn(...classes: ClassValue[]): string {
  const taken = new Set<string>()
  const kept: string[] = []
  for (const name of clsx(classes).split(/\s+/).toReversed()) {
    const kind = kindOf(name)
    if (kind && taken.has(kind.variants + kind.name)) continue
    if (kind) for (const one of [kind.name, ...(covers[kind.name] ?? [])]) taken.add(kind.variants + one)
    kept.push(name)
  }
  return kept.toReversed().join(" ")
}

/** Utilities of which an element has one, by what they set: the first that fits. */
const kinds: [name: string, utilities: RegExp][] = [
  ["display", /^(block|contents|hidden|(inline-)?(flex|grid)|inline(-block)?|table(-cell)?)$/],
  ["position", /^(absolute|fixed|relative|static|sticky)$/],
  ["visibility", /^(in)?visible$/],
  ["sr", /^(not-)?sr-only$/],
  ["style", /^(not-)?italic$/],
  ["line", /^(no-)?underline$|^line-through$/],
  ["case", /^(upper|lower|normal-)case$|^capitalize$/],
  ["cut", /^truncate$/],
  ["figures", /^(tabular|proportional)-nums$/],
  ["layout", /^table-(fixed|auto)$/],
  ["size-of-text", /^text-(xs|sm|base|lg|\d?xl|\[[\d.].*)$/],
  ["align-of-text", /^text-(left|center|right|start|end)$/],
  ["wrap-of-text", /^text-(balance|pretty|wrap|nowrap)$/],
  ["weight", /^font-(normal|medium|semibold|bold)$/],
  ["direction", /^flex-(row|col)(-reverse)?$/],
  ["wrap", /^flex-(no)?wrap$/],
  ["collapse", /^border-(collapse|separate)$/],
  ["style-of-border", /^border-(solid|dashed|dotted|none)$/],
  ["border-w", /^border(-\d+|-\[\d.*)?$/],
  ["border-w-$1", /^border-([xytrbl])(-\d+)?$/],
  ["style-of-outline", /^outline-(hidden|none|solid|dashed)$/],
  ["width-of-outline", /^outline(-\d+)?$/],
  ["property-$1", /^\[([\w-]+):.*\]$/],
  ["divide-w-$1", /^divide-([xy])$/],
  [
    "$1",
    new RegExp(
      "^-?(align|animate|appearance|basis|bg|border-(?:spacing|[xytrbl])|border|bottom|break|col-(?:span|start)|content|cursor|decoration|" +
        "delay|divide|duration|fill|flex|font|gap(?:-[xy])?|grid-(?:cols|rows)|inset(?:-[xy])?|items|justify(?:-items|-self)?|leading|" +
        "left|line-clamp|list|(?:max-|min-)?[hw]|m[xytrbl]?|object|opacity|order|origin|outline(?:-offset)?|overflow(?:-[xy])?|" +
        "p[xytrbl]?|place-(?:content|items)|pointer-events|resize|right|rotate|rounded(?:-[trbl])?|row-(?:span|start)|scheme|" +
        "scroll-[mp][xytrbl]?|select|self|shadow|size|stroke|text|top|tracking|transition|translate-[xy]|underline-offset|whitespace|z)-",
    ),
  ],
  ["$1", /^(grow|shrink|rounded)(?:-\d)?$/],
]

const sides = (name: string): Record<string, string[]> => ({
  [name]: ["x", "y", "t", "r", "b", "l"].map((side) => name + side),
  [`${name}x`]: [`${name}r`, `${name}l`],
  [`${name}y`]: [`${name}t`, `${name}b`],
})

/** Kinds that set what other kinds set a part of. */
const covers: Record<string, string[]> = {
  ...sides("p"),
  ...sides("m"),
  ...sides("scroll-m"),
  ...sides("scroll-p"),
  inset: ["inset-x", "inset-y", "top", "right", "bottom", "left"],
  "inset-x": ["right", "left"],
  "inset-y": ["top", "bottom"],
  "border-w": ["x", "y", "t", "r", "b", "l"].map((side) => `border-w-${side}`),
  "border-w-x": ["border-w-r", "border-w-l"],
  "border-w-y": ["border-w-t", "border-w-b"],
  border: ["x", "y", "t", "r", "b", "l"].map((side) => `border-${side}`),
  rounded: ["rounded-t", "rounded-r", "rounded-b", "rounded-l"],
  flex: ["basis", "grow", "shrink"],
  gap: ["gap-x", "gap-y"],
  overflow: ["overflow-x", "overflow-y"],
  size: ["w", "h"],
  "size-of-text": ["leading"],
  "line-clamp": ["display", "overflow"],
}

type Kind = { name: string; variants: string }

const read = new Map<string, Kind | undefined>()

function kindOf(name: string): Kind | undefined {
  if (!read.has(name)) read.set(name, readKind(name))
  return read.get(name)
}

/** `sm:hover:`, `[&_svg]:` or nothing. */
const variantsFirst = /^(?:(?:[^:[(]|\[[^\]]*\]|\([^)]*\))*:)*/

function readKind(name: string): Kind | undefined {
  const [variants = ""] = variantsFirst.exec(name) ?? []
  const utility = name.slice(variants.length)
  const important = utility.endsWith("!") ? "!" : ""
  for (const [kind, utilities] of kinds) {
    const found = utilities.exec(utility.slice(0, utility.length - important.length))
    if (found) return { name: kind.replace("$1", found[1] ?? ""), variants: variants + important }
  }
  return undefined
}
