/** Unread notices are counted up to this number. */
export const unreadMax = 100
