const prefix = "whsec_"
const charsMin = 24
const charsMax = 64

/** What a caller may give as a secret, for people. */
export const secretForm = `Must be ${charsMin} to ${charsMax} printable characters.`

export function isSecret(text: string): boolean {
  return text.length >= charsMin && text.length <= charsMax && [...text].every((one) => one >= " " && one <= "~")
}

/** The bytes of a secret that a caller gives: of `whsec_` and base64 what is encoded, of any other text its own. */
export function bytesOfSecret(text: string): Buffer {
  const decoded = text.startsWith(prefix) ? Buffer.from(text.slice(prefix.length), "base64") : null
  return decoded && decoded.length >= charsMin && textOfSecret(decoded) === text ? decoded : Buffer.from(text)
}

/** The public form of a secret, as the libraries of Standard Webhooks take it. */
export function textOfSecret(bytes: Uint8Array): string {
  return prefix + Buffer.from(bytes).toString("base64")
}
