import { clsx, type ClassValue } from "clsx"
import { mergeClasses } from "@/components/ui/class-groups"

/** Joins class names; a later utility wins over an earlier one of the same kind. */
export function cn(...classes: ClassValue[]): string {
  return mergeClasses(clsx(classes))
}
