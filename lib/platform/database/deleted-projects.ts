import { dayMs } from "@/lib/platform/time"

/** For so many days a deleted project can be restored; then it is removed with everything it owns. */
export const daysToRestore = 7

const msToRestore = daysToRestore * dayMs

/** When a project that was deleted at this time is removed. */
export function removalOf(deletedAt: Date): Date {
  return new Date(deletedAt.getTime() + msToRestore)
}

/** Projects that were deleted later than this can be restored now. */
export function restorableSince(now: Date): Date {
  return new Date(now.getTime() - msToRestore)
}
