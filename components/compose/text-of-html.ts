/** A text part made from HTML: words in their order, links written out, blocks on their own lines. Needs a browser. */
export function textOfHtml(html: string): string {
  const page = new DOMParser().parseFromString(html, "text/html")
  for (const element of page.querySelectorAll("script, style, head, title")) element.remove()
  for (const link of page.querySelectorAll("a[href]")) {
    const href = link.getAttribute("href") ?? ""
    if (/^https?:/i.test(href) && link.textContent?.trim() !== href) link.append(` (${href})`)
  }
  for (const item of page.querySelectorAll("li")) item.prepend("- ")
  for (const element of page.querySelectorAll("br")) element.replaceWith("\n")
  for (const image of page.querySelectorAll("img[alt]")) image.replaceWith(image.getAttribute("alt") ?? "")
  for (const block of page.querySelectorAll("p, div, h1, h2, h3, h4, h5, h6, ul, ol, table, blockquote"))
    block.append("\n\n")
  for (const row of page.querySelectorAll("tr, li")) row.append("\n")
  const lines = (page.body.textContent ?? "").split("\n").map((line) => line.replace(/[ \t\u00a0]+/g, " ").trim())
  return lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim()
}
