/** Encodings in which spreadsheets and their export write text, by the names of the Encoding Standard. */
export const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252"] as const
export type FileEncoding = (typeof encodings)[number]

/** What a file begins with decides, once it has been read so far or has anything beyond ASCII. */
export const encodingBytes = 256 * 1024

/**
 * The encoding of a file by its bytes, which are added from its beginning on. A byte order mark decides; else zeros between
 * ASCII characters are UTF-16. Bytes beyond ASCII are UTF-8 if any of them form a character of it, whatever else is broken, and
 * Windows-1252 (of which Latin-1 is a part) if none do.
 */
export function createEncodingScan() {
  let read = 0
  let wide: FileEncoding | null = null
  /** Bytes of a character of UTF-8 that are still to come. */
  let open = 0
  let characters = 0
  let strays = 0

  function addByte(byte: number) {
    if (open > 0 && (byte & 0xc0) === 0x80) {
      open -= 1
      if (open === 0) characters += 1
      return
    }
    if (open > 0) strays += 1
    open = byte < 0x80 ? 0 : followers(byte)
    if (byte >= 0x80 && open === 0) strays += 1
  }

  return {
    add(bytes: Uint8Array) {
      if (read === 0) wide = wideEncodingOf(bytes)
      read += bytes.length
      if (!wide) for (const byte of bytes) addByte(byte)
    },
    /** True if more bytes do not change the result. */
    decided: () => wide !== null || (read >= encodingBytes && characters + strays > 0),
    encoding: (): FileEncoding => wide ?? (strays > 0 && characters === 0 ? "windows-1252" : "utf-8"),
  }
}

/** Of a first byte of UTF-8: how many follow; 0 if none begins with it. */
function followers(byte: number): number {
  if (byte >= 0xc2 && byte <= 0xdf) return 1
  if (byte >= 0xe0 && byte <= 0xef) return 2
  return byte >= 0xf0 && byte <= 0xf4 ? 3 : 0
}

function wideEncodingOf([first = 1, second = 1]: Uint8Array): FileEncoding | null {
  if (first === 0xff && second === 0xfe) return "utf-16le"
  if (first === 0xfe && second === 0xff) return "utf-16be"
  if (second === 0 && first !== 0) return "utf-16le"
  return first === 0 && second !== 0 ? "utf-16be" : null
}
