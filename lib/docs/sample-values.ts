/** A variable that samples read, and what it is where that is known. */
type KnownValues = Readonly<Record<string, string | undefined>>

/** The samples of a text with what is known in place of the variables that they would read. */
export function withKnownValues(text: string, known: KnownValues): string {
  return text.replaceAll(/```(\w+)\n([\s\S]*?)\n```/g, (_, lang: string, code: string) => {
    const filled = Object.entries(known).reduce(
      (sample, [name, value]) => (value === undefined ? sample : (fillers[lang] ?? unchanged)(sample, name, value)),
      code,
    )
    return `\`\`\`${lang}\n${filled}\n\`\`\``
  })
}

type Filler = (code: string, name: string, value: string) => string

const unchanged: Filler = (code) => code

const fillers: Record<string, Filler> = {
  sh: (code, name, value) =>
    code.replaceAll(`'"$${name}"'`, value).replaceAll(new RegExp(`\\$${name}\\b`, "g"), () => value),

  // A template in which no variable is left is an ordinary string.
  ts: (code, name, value) =>
    code
      .replaceAll(`\${${name}}`, value)
      .replaceAll(/`([^`\n]*)`/g, (template, text: string) => (/[$"\\]/.test(text) ? template : `"${text}"`))
      .replace(/^const \{ (.+) \} = process\.env$/m, (_, names: string) => {
        const left = names.split(", ").filter((one) => one.split(" ")[0] !== name)
        return `const { ${left.join(", ")} } = process.env`
      })
      .replaceAll(new RegExp(`: ${name}\\b`, "g"), () => `: "${value}"`),

  python: (code, name, value) =>
    code.replaceAll(`os.environ["${name}"] + "`, `"${value}`).replaceAll(`os.environ["${name}"]`, `"${value}"`),
}
