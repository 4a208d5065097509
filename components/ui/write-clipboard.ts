/** True when the text was copied. Falls back to a selection where the page is served without TLS. */
export async function writeClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** `navigator.clipboard` is missing on plain http, which is how many install the product first. */
function copyBySelection(text: string): boolean {
  const before = document.activeElement
  const holder = document.createElement("textarea")
  const parent = before?.closest("dialog") ?? document.body
  holder.value = text
  holder.className = "sr-only"
  parent.append(holder)
  holder.select()
  const copied = document.execCommand("copy")
  holder.remove()
  if (before instanceof HTMLElement) before.focus()
  return copied
}
