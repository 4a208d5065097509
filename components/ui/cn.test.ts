import { expect, test } from "vitest"
import { cn } from "@/components/ui/cn"

test.each([
  [["px-4 py-2", "px-0"], "py-2 px-0"],
  [["px-4 pt-2 mt-1", "p-0"], "mt-1 p-0"],
  [["p-4", "px-0"], "p-4 px-0"],
  [["h-8 w-8", "size-4"], "size-4"],
  [["text-sm text-muted", "text-accent"], "text-sm text-accent"],
  [["text-sm leading-6", "text-xs"], "text-xs"],
  [["hover:bg-panel bg-sunken", "bg-bg"], "hover:bg-panel bg-bg"],
  [["sm:hover:p-4", "sm:hover:p-2"], "sm:hover:p-2"],
  [
    ["[&_svg]:size-4 sm:[&_td:first-child]:pl-4", "[&_svg]:size-3.5 sm:[&_td:first-child]:pl-0"],
    "[&_svg]:size-3.5 sm:[&_td:first-child]:pl-0",
  ],
  [["font-sans!", "font-mono"], "font-sans! font-mono"],
  [["-mx-5", "mx-0"], "mx-0"],
  [["mono row", null, false, undefined, ["mono"]], "mono row mono"],
  [["border border-line border-dashed", "border-0"], "border-line border-dashed border-0"],
])("merges %j", (classes, merged) => {
  expect(cn(...classes)).toBe(merged)
})
