import { clsx, type ClassValue } from "clsx"
import { createTailwindMerge, type ClassNameValue } from "tailwind-merge"

/** Joins class names; a later utility wins over an earlier one of the same kind. */
export function cn(...classes: ClassValue[]): string {
  return mergeClasses(clsx(classes))
}

// The kinds of utilities that our classes use. The library's own table knows all of Tailwind and is 20 kB larger, on every
// page; `class-groups.slow.test.ts` compares both for each pair of our classes.

const any = () => true
const number = (value: string) => /^\d+(\.\d+)?$/.test(value)
const arbitraryLength = (value: string) => /^\[\d/.test(value)
const arbitrary = (value: string) => /^[[(]/.test(value)

/** Utilities whose name says what they set, whatever follows: `p-4`, `max-w-full`. */
const plain = [
  ...["inset", "inset-x", "inset-y", "top", "right", "bottom", "left", "z"],
  ...["basis", "grow", "shrink", "order", "columns", "float", "clear", "break-inside", "object"],
  ...["grid-cols", "grid-rows", "gap", "gap-x", "gap-y"],
  ...["justify", "justify-items", "justify-self", "content", "items", "self", "place-content", "place-items"],
  ...["p", "px", "py", "pt", "pr", "pb", "pl", "m", "mx", "my", "mt", "mr", "mb", "ml", "space-y"],
  ...["size", "aspect", "w", "min-w", "max-w", "h", "min-h", "max-h"],
  ...["tracking", "line-clamp", "leading", "list", "decoration", "underline-offset", "align", "whitespace", "bg"],
  ...["rounded", "rounded-t", "rounded-r", "rounded-b", "rounded-l", "divide-x", "divide-y", "border-spacing"],
  ...["outline-offset", "opacity", "transition", "duration", "delay", "animate", "origin"],
  ...["translate-x", "translate-y", "appearance", "scheme", "cursor", "pointer-events", "resize", "select"],
  ...["scroll-my", "scroll-mt", "scroll-mb", "scroll-pt", "fill", "stroke", "ring"],
] as const

const sides = ["t", "r", "b", "l", "x", "y"] as const
const displays = ["block", "inline-block", "inline", "flex", "inline-flex", "grid", "inline-grid", "contents", "hidden"]

const groups: Record<string, ClassGroup> = {
  display: [...displays, { table: ["", "cell", "row", "caption", "column", "row-group"] }],
  "table-layout": [{ table: ["auto", "fixed"] }],
  position: ["static", "fixed", "absolute", "relative", "sticky"],
  visibility: ["visible", "invisible", "collapse"],
  sr: ["sr-only", "not-sr-only"],
  overflow: [{ overflow: ["auto", "hidden", "clip", "visible", "scroll"] }],
  "overflow-x": [{ "overflow-x": [any] }],
  "overflow-y": [{ "overflow-y": [any] }],
  container: ["container"],
  "container-type": ["@container"],
  "flex-direction": [{ flex: ["row", "row-reverse", "col", "col-reverse"] }],
  "flex-wrap": [{ flex: ["wrap", "wrap-reverse", "nowrap"] }],
  flex: [{ flex: [any] }],
  "col-start-end": [{ col: [any] }],
  "col-start": [{ "col-start": [any] }],
  "row-start-end": [{ row: [any] }],
  "row-start": [{ "row-start": [any] }],
  "font-size": [{ text: ["xs", "sm", "base", "lg", "xl", "2xl", "3xl", "4xl", arbitraryLength] }],
  "font-style": ["italic", "not-italic"],
  "font-weight": [{ font: ["normal", "medium", "semibold", "bold"] }],
  "font-family": [{ font: [any] }],
  "fvn-spacing": ["tabular-nums", "proportional-nums"],
  "text-alignment": [{ text: ["left", "center", "right", "justify", "start", "end"] }],
  "text-decoration": ["underline", "overline", "line-through", "no-underline"],
  "text-transform": ["uppercase", "lowercase", "capitalize", "normal-case"],
  "text-overflow": ["truncate", "text-ellipsis", "text-clip"],
  "text-wrap": [{ text: ["wrap", "nowrap", "balance", "pretty"] }],
  "text-color": [{ text: [any] }],
  break: [{ break: ["normal", "words", "all", "keep"] }],
  "border-collapse": [{ border: ["collapse", "separate"] }],
  "border-style": [{ border: ["solid", "dashed", "dotted", "double", "hidden", "none"] }],
  "border-w": [{ border: ["", number, arbitraryLength] }],
  ...Object.fromEntries(
    sides.map((side) => [`border-w-${side}`, [{ [`border-${side}`]: ["", number, arbitraryLength] }]]),
  ),
  ...Object.fromEntries(sides.map((side) => [`border-color-${side}`, [{ [`border-${side}`]: [any] }]])),
  "border-color": [{ border: [any] }],
  "divide-color": [{ divide: [any] }],
  "outline-style": [{ outline: ["solid", "dashed", "dotted", "double", "none", "hidden"] }],
  "outline-w": [{ outline: ["", number, arbitraryLength] }],
  "outline-color": [{ outline: [any] }],
  shadow: [{ shadow: ["", "none", "xs", "sm", "md", "lg", "xl", "2xl", arbitrary] }],
  "shadow-color": [{ shadow: [any] }],
  ...Object.fromEntries(plain.map((name) => [name, [{ [name]: ["", any] }]])),
}

type ClassGroup = (string | Record<string, (string | ((value: string) => boolean))[]>)[]

/** A class of the first kind also takes the place of earlier ones of the kinds behind it: of `px-2 p-4`, `p-4` is left. */
const covers: Record<string, string[]> = {
  overflow: ["overflow-x", "overflow-y"],
  inset: ["inset-x", "inset-y", "top", "right", "bottom", "left"],
  "inset-x": ["right", "left"],
  "inset-y": ["top", "bottom"],
  flex: ["basis", "grow", "shrink"],
  gap: ["gap-x", "gap-y"],
  p: ["px", "py", "pt", "pr", "pb", "pl"],
  px: ["pr", "pl"],
  py: ["pt", "pb"],
  m: ["mx", "my", "mt", "mr", "mb", "ml"],
  mx: ["mr", "ml"],
  my: ["mt", "mb"],
  size: ["w", "h"],
  "font-size": ["leading"],
  "line-clamp": ["display", "overflow"],
  rounded: ["rounded-t", "rounded-r", "rounded-b", "rounded-l"],
  "border-w": sides.map((side) => `border-w-${side}`),
  "border-w-x": ["border-w-r", "border-w-l"],
  "border-w-y": ["border-w-t", "border-w-b"],
  "border-color": sides.map((side) => `border-color-${side}`),
  "border-color-x": ["border-color-r", "border-color-l"],
  "border-color-y": ["border-color-t", "border-color-b"],
  "scroll-my": ["scroll-mt", "scroll-mb"],
}

export const mergeClasses: (...classes: ClassNameValue[]) => string = createTailwindMerge(() => ({
  cacheSize: 500,
  theme: {},
  classGroups: groups,
  conflictingClassGroups: covers,
  conflictingClassGroupModifiers: { "font-size": ["leading"] },
  orderSensitiveModifiers: ["*", "**", "after", "before", "file", "marker", "placeholder", "selection"],
}))
