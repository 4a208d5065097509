/** Octets of a logo. */
export const brandLogoBytesMax = 64 * 1024

export const logoTypes = ["image/png", "image/jpeg", "image/webp"] as const

export type LogoType = (typeof logoTypes)[number]

/** The picture in a `data:` URL, by what its first octets say; null for anything but a small PNG, JPEG or WebP. */
export function readLogo(dataUrl: string): { type: LogoType; bytes: Uint8Array<ArrayBuffer> } | null {
  const match = /^data:image\/(?:png|jpeg|webp);base64,([A-Za-z0-9+/]+={0,2})$/.exec(dataUrl)
  if (!match?.[1] || match[1].length > Math.ceil(brandLogoBytesMax / 3) * 4) return null
  const bytes = Uint8Array.from(atob(match[1].padEnd(Math.ceil(match[1].length / 4) * 4, "=")), (character) =>
    character.charCodeAt(0),
  )
  const type = typeOf(bytes)
  return type && bytes.length <= brandLogoBytesMax ? { type, bytes } : null
}

function typeOf(bytes: Uint8Array): LogoType | null {
  const starts = (at: number, ...wanted: number[]) => wanted.every((octet, index) => bytes[at + index] === octet)
  if (starts(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "image/png"
  if (starts(0, 0xff, 0xd8, 0xff)) return "image/jpeg"
  return starts(0, 0x52, 0x49, 0x46, 0x46) && starts(8, 0x57, 0x45, 0x42, 0x50) ? "image/webp" : null
}

/** Black or white: whichever can be read better on the colour (`#rrggbb`; WCAG 2.2, relative luminance). */
export function labelOn(color: string): "#000000" | "#ffffff" {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return (luminance + 0.05) ** 2 > 1.05 * 0.05 ? "#000000" : "#ffffff"
}
