/** Room in memory for messages, bodies and answers: so many octets at once in this process, and of one owner. */
export function createRoom({ bytesMax, ownerBytesMax }: { bytesMax: number; ownerBytesMax: number }) {
  let held = 0
  const ofOwners = new Map<string, number>()

  function add(owner: string, bytes: number) {
    held += bytes
    const left = (ofOwners.get(owner) ?? 0) + bytes
    if (left > 0) ofOwners.set(owner, left)
    else ofOwners.delete(owner)
  }

  return {
    enter(owner: string) {
      let own = 0
      return {
        /** Whether there is room for so many more octets, which are then taken. */
        take(bytes: number): boolean {
          if (held + bytes > bytesMax || (ofOwners.get(owner) ?? 0) + bytes > ownerBytesMax) return false
          own += bytes
          add(owner, bytes)
          return true
        },
        /** Gives back all that was taken. */
        leave() {
          add(owner, -own)
          own = 0
        },
      }
    },
  }
}
