/** Where mailbox providers begin to mind, and where they begin to refuse (protocol.md 31). */
export const complaintBounds = { warning: 0.001, critical: 0.003 }
export const bounceBounds = { warning: 0.02, critical: 0.05 }
