/** A logo of SVG Tiny PS with this title. */
export function logoOf(title: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" version="1.2" baseProfile="tiny-ps" viewBox="0 0 64 64"><title>${title}</title><rect width="64" height="64" fill="#0b6e4f"/><circle cx="32" cy="32" r="18" fill="#fff"/></svg>`
}
