import { clsx, type ClassValue } from "clsx"
import { createTailwindMerge } from "tailwind-merge"
import { mergeRules } from "@/components/ui/merge-rules"

const merge = createTailwindMerge(mergeRules)

/** Joins class names; a later utility wins over an earlier one of the same kind. */
export function cn(...classes: ClassValue[]): string {
  return merge(clsx(classes))
}
