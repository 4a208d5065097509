// Not part of the rules, which pages load: a bundle that names Buffer brings 8 kB that stand for it in the browser.

const prefix = "whsec_"
const charsMin = 24
const charsMax = 64

/** What a caller may give as a secret, for people. */
export const secretForm = `Must be ${charsMin} to ${charsMax} printable characters; after ${prefix}, base64 with its padding of at least ${charsMin} bytes.`

/** What begins as the public form does is that form: taken as text, it would be another key than the libraries read from it. */
export function isSecret(text: string): boolean {
  if (text.startsWith(prefix) && !decodedSecret(text)) return false
  return text.length >= charsMin && text.length <= charsMax && [...text].every((one) => one >= " " && one <= "~")
}

/** The bytes of a secret that a caller gives: of `whsec_` and base64 what is encoded, of any other text its own. */
export function bytesOfSecret(text: string): Buffer {
  return decodedSecret(text) ?? Buffer.from(text)
}

function decodedSecret(text: string): Buffer | null {
  const decoded = text.startsWith(prefix) ? Buffer.from(text.slice(prefix.length), "base64") : null
  return decoded && decoded.length >= charsMin && textOfSecret(decoded) === text ? decoded : null
}

/** The public form of a secret, as the libraries of Standard Webhooks take it. */
export function textOfSecret(bytes: Uint8Array): string {
  return prefix + Buffer.from(bytes).toString("base64")
}
