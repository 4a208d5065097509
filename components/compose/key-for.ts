/**
 * The idempotency key of a draft that names none: the same for the same content, so that pressing Send again after a
 * lost answer makes no second email, and another as soon as a word has changed.
 */
export function createKeys(random: () => string = randomText): (content: string) => string {
  let last: { content: string; key: string } | undefined
  return (content) => {
    if (last?.content !== content) last = { content, key: `compose-${random()}` }
    return last.key
  }
}

/** `crypto.randomUUID` is missing where the page is not served by https. */
function randomText(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")
}
