import type { createTailwindMerge } from "tailwind-merge"

type Rules = ReturnType<Parameters<typeof createTailwindMerge>[0]>

const any = () => true
/** A measure, where the same name takes a colour too. */
const measure = (value: string) => /^\d|^px$|^\[(length:|[\d.-]|calc\(|min\(|max\(|clamp\()/.test(value)
const textSizes = ["2xs", "xs", "sm", "base", "lg", "xl", "2xl", "3xl", "4xl"]

/** Utilities of which any two with the same name are of one kind: `p-2` and `p-4`. */
const plain = [
  "inset", "inset-x", "inset-y", "top", "right", "bottom", "left", "z", "float", "clear", "overflow", "overflow-x", "overflow-y",
  "p", "px", "py", "pt", "pr", "pb", "pl", "m", "mx", "my", "mt", "mr", "mb", "ml", "space-x", "space-y",
  "w", "h", "size", "min-w", "min-h", "max-w", "max-h", "aspect", "columns", "object",
  "basis", "grow", "shrink", "order", "grid-cols", "grid-rows", "grid-flow", "auto-cols", "auto-rows", "col-start", "col-end", "row-start", "row-end",
  "gap", "gap-x", "gap-y", "justify-items", "justify-self", "items", "self", "place-content", "place-items", "place-self",
  "leading", "tracking", "line-clamp", "whitespace", "underline-offset", "indent", "align", "list", "break",
  "opacity", "cursor", "select", "pointer-events", "resize", "appearance", "accent", "fill", "animate", "transition", "duration", "delay", "ease",
  "rotate", "scale", "translate", "translate-x", "translate-y", "origin", "will-change", "scheme", "snap", "touch",
  "rounded", "rounded-t", "rounded-r", "rounded-b", "rounded-l", "rounded-tl", "rounded-tr", "rounded-br", "rounded-bl", "outline-offset",
  "border-spacing", "scroll-pt",
]

const bordered = ["border", "border-x", "border-y", "border-t", "border-r", "border-b", "border-l"]

/**
 * Which utilities are of one kind: those that our pages use. tailwind-merge's own rules know all of Tailwind and weigh
 * 6 kB more on every page; a test holds these against them for every class that stands in the source.
 */
export const mergeRules = (): Rules => ({
  cacheSize: 500,
  theme: {},
  classGroups: {
    display: ["block", "inline-block", "inline", "flex", "inline-flex", "table", "table-cell", "table-row", "grid", "inline-grid", "contents", "hidden"],
    sr: ["sr-only", "not-sr-only"],
    position: ["static", "fixed", "absolute", "relative", "sticky"],
    visibility: ["visible", "invisible", "collapse"],
    flex: [{ flex: ["1", "auto", "initial", "none"] }],
    "flex-direction": [{ flex: ["row", "row-reverse", "col", "col-reverse"] }],
    "flex-wrap": [{ flex: ["wrap", "nowrap", "wrap-reverse"] }],
    "col-start-end": [{ col: [any] }],
    "row-start-end": [{ row: [any] }],
    "align-content": [{ content: ["start", "end", "center", "between", "around", "evenly", "stretch", "baseline", "normal"] }],
    "justify-content": [{ justify: ["start", "end", "center", "between", "around", "evenly", "stretch", "baseline", "normal"] }],
    "text-overflow": ["truncate", { text: ["ellipsis", "clip"] }],
    "text-alignment": [{ text: ["left", "center", "right", "justify", "start", "end"] }],
    "text-wrap": [{ text: ["wrap", "nowrap", "balance", "pretty"] }],
    "font-size": [{ text: [...textSizes, measure] }],
    "text-color": [{ text: [any] }],
    "text-transform": ["uppercase", "lowercase", "capitalize", "normal-case"],
    "text-decoration": ["underline", "overline", "line-through", "no-underline"],
    "text-decoration-style": [{ decoration: ["solid", "double", "dotted", "dashed", "wavy"] }],
    "text-decoration-thickness": [{ decoration: [measure, "auto", "from-font"] }],
    "text-decoration-color": [{ decoration: [any] }],
    "font-style": ["italic", "not-italic"],
    "font-weight": [{ font: ["light", "normal", "medium", "semibold", "bold"] }],
    "font-family": [{ font: [any] }],
    "fvn-spacing": ["proportional-nums", "tabular-nums"],
    "bg-image": [{ bg: ["none"] }],
    "bg-color": [{ bg: [any] }],
    "border-collapse": [{ border: ["collapse", "separate"] }],
    "border-style": [{ border: ["solid", "dashed", "dotted", "double", "hidden", "none"] }],
    ...widthsAndColors(bordered),
    ...widthsAndColors(["divide-x", "divide-y"]),
    "divide-color": [{ divide: [any] }],
    "outline-style": [{ outline: ["solid", "dashed", "dotted", "double", "none", "hidden"] }],
    "outline-w": [{ outline: ["", measure] }],
    "outline-color": [{ outline: [any] }],
    "stroke-w": [{ stroke: [measure] }],
    stroke: [{ stroke: [any] }],
    shadow: [{ shadow: ["", "none", "xs", "sm", "md", "lg", (value: string) => value.startsWith("[")] }],
    "shadow-color": [{ shadow: [any] }],
    "ring-w": [{ ring: ["", measure] }],
    "ring-color": [{ ring: [any] }],
    filter: ["filter", "filter-none"],
    "table-layout": [{ table: ["auto", "fixed"] }],
    ...Object.fromEntries(plain.map((name) => [name, [{ [name]: ["", any] }]])),
  },
  conflictingClassGroups: {
    inset: ["inset-x", "inset-y", "top", "right", "bottom", "left"],
    "inset-x": ["right", "left"],
    "inset-y": ["top", "bottom"],
    overflow: ["overflow-x", "overflow-y"],
    p: ["px", "py", "pt", "pr", "pb", "pl"],
    px: ["pr", "pl"],
    py: ["pt", "pb"],
    m: ["mx", "my", "mt", "mr", "mb", "ml"],
    mx: ["mr", "ml"],
    my: ["mt", "mb"],
    size: ["w", "h"],
    gap: ["gap-x", "gap-y"],
    flex: ["basis", "grow", "shrink"],
    "font-size": ["leading"],
    "line-clamp": ["display", "overflow"],
    translate: ["translate-x", "translate-y"],
    rounded: ["rounded-t", "rounded-r", "rounded-b", "rounded-l", "rounded-tl", "rounded-tr", "rounded-br", "rounded-bl"],
    "rounded-t": ["rounded-tl", "rounded-tr"],
    "rounded-r": ["rounded-tr", "rounded-br"],
    "rounded-b": ["rounded-br", "rounded-bl"],
    "rounded-l": ["rounded-tl", "rounded-bl"],
    ...conflictsOfSides("w"),
    ...conflictsOfSides("color"),
  },
  conflictingClassGroupModifiers: { "font-size": ["leading"] },
  orderSensitiveModifiers: ["*", "**", "after", "backdrop", "before", "details-content", "file", "first-letter", "first-line", "marker", "placeholder", "selection"],
})

function widthsAndColors(names: string[]): Rules["classGroups"] {
  return Object.fromEntries(
    names.flatMap((name) => [
      [`${name}-w`, [{ [name]: ["", measure] }]],
      [`${name}-color`, [{ [name]: [any] }]],
    ]),
  )
}

function conflictsOfSides(kind: "w" | "color"): Record<string, string[]> {
  const of = (...sides: string[]) => sides.map((side) => `border-${side}-${kind}`)
  return {
    [`border-${kind}`]: of("x", "y", "t", "r", "b", "l"),
    [`border-x-${kind}`]: of("r", "l"),
    [`border-y-${kind}`]: of("t", "b"),
  }
}
