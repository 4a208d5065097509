/** A value that there is none of: one dash everywhere, and the word for it where it is read out. */
export function Absent({ word = "None" }: { word?: string }) {
  return (
    <>
      <span aria-hidden="true" className="text-faint">
        –
      </span>
      <span className="sr-only">{word}</span>
    </>
  )
}
